package gen3

import "clankie/emu"

// role says what a function tells a decoder when a callback, a task or a
// script context points to it.
type role uint8

const (
	roleNone role = iota

	roleFieldInput // callback 1 while the field takes input

	roleOpening       // callback 2: nothing of a game is running yet
	roleMainMenu      // callback 2
	roleField         // callback 2: the field runs
	roleLoading       // callback 2: between two screens; the map may be half loaded
	roleBattle        // callback 2: the battle runs
	roleBattleLoading // callback 2: the battle's screen comes back
	roleScene         // callback 2: plays by itself
	roleScreen        // callback 2: a whole screen without a decoder of its own
	roleParty         // callback 2
	roleBag           // callback 2
	roleBuyMenu       // callback 2
	roleSummary       // callback 2
	roleStorage       // callback 2
	roleOptions       // callback 2
	roleNamingLoading // callback 2
	roleNaming        // callback 2

	roleMessageBox      // task: a field message box is open
	roleYesNo           // task: sMenu holds a yes/no box
	roleMultichoice     // task: sMenu holds a list of choices
	roleMultichoiceGrid // task: the same in columns
	roleListWindow      // task: a window over a long list takes input
	roleListMenu        // task: its data is struct ListMenu
	roleStartMenu       // task
	roleMainMenuInput   // task
	roleNewGame         // task: the speech before a new game
	rolePlayerPC        // task: what the player's own PC offers
	roleItemStorage     // task: what its item storage offers
	roleMailOptions     // task: what can be done with a letter of its mailbox
	roleStoragePC       // task: what the storage system offers
	roleStorageInput    // task, or storage callback: the boxes take input
	roleDexInput        // task: the Pokédex's list takes input
	roleOptionsInput    // task: the options take input
	rolePartyInput      // task: the party's list takes input
	rolePartyActions    // task: the list of what to do with a party member
	roleBagInput        // task: the bag's list takes input
	roleItemActions     // task: the list of what to do with an item
	roleShopMenu        // task: buy, sell, leave
	roleBuyList         // task: the shop's list takes input
	roleScriptMovement  // task: a script walks people about

	roleStartInput // start menu callback: the menu takes input
	roleSaveYesNo  // save dialogue callback: sMenu holds a yes/no box

	roleWaitButton // script native: waits for A or B

	roleBattleSetup // battle main function: the battlers are still those of the battle before

	roleChooseAction // battle controller
	roleChooseMove   // battle controller
	roleChooseTarget // battle controller
	roleSwapMove     // battle controller: the place that a move changes with
	roleChooseSafari // battle controller: the Safari Zone's four actions
	roleChooseYesNo  // battle controller: a question of the battle's own
)

// wholeScreen reports whether a callback 2 of this role is a screen with menus
// that takes the field's or the battle's place.
func (r role) wholeScreen() bool {
	switch r {
	case roleScreen, roleParty, roleBag, roleBuyMenu, roleSummary, roleStorage, roleOptions:
		return true
	}
	return false
}

// codeEntry is one recognised function.
type codeEntry struct {
	role   role
	screen emu.Screen // for callbacks 2
}

// codeRow is one function of a family and its address in each build.
type codeRow struct {
	symbol string
	role   role
	screen emu.Screen
	addr   [4]uint32
}

// codeOf returns the functions of one build: a column of rows.
func codeOf(rows []codeRow, build int) map[uint32]codeEntry {
	m := make(map[uint32]codeEntry, len(rows))
	for _, r := range rows {
		if a := r.addr[build]; a != 0 {
			m[a] = codeEntry{r.role, r.screen}
		}
	}
	return m
}

// codeAt returns what the function at ptr tells. Stored pointers to Thumb code
// have bit 0 set.
func (p *Profile) codeAt(ptr uint32) codeEntry { return p.code[ptr&^1] }
