package gen3

// What Emerald, Ruby and Sapphire share beyond the generation's structures.

// hoennPockets is the order of the bag's pockets on screen.
var hoennPockets = []string{"items", "poke-balls", "tm-hm", "berries", "key-items"}

// hoennStartMenu are the values of sCurrentStartMenuActions (MENU_ACTION_*).
var hoennStartMenu = entries(
	"pokedex", "Pokédex", "pokemon", "Pokémon", "bag", "Bag", "pokenav", "PokéNav", "player", "Player",
	"save", "Save", "option", "Option", "exit", "Exit", "retire", "Retire", "link-player", "Player",
)

// hoennSummaryPages are the pages of the summary screen.
var hoennSummaryPages = entries("info", "Info", "skills", "Skills", "moves", "Battle moves", "contest-moves", "Contest moves")

// hoennSafariActions are what Hoenn's Safari Zone asks for.
var hoennSafariActions = entries("ball", "Ball", "pokeblock", "Pokéblock", "go-near", "Go near", "run", "Run")

// hoennPlayerPC is the menu of the PC in the player's room; the one in a
// Pokémon Center has no decoration.
var hoennPlayerPC = entries(
	"item-storage", "Item storage", "mailbox", "Mailbox", "decoration", "Decoration", "turn-off", "Turn off",
)

// hoennItemStorage is the menu of that PC's item storage.
var hoennItemStorage = entries("withdraw", "Withdraw item", "deposit", "Deposit item", "toss", "Toss item", "cancel", "Cancel")

// goalsFrom lists a game's goals by the flags that say that there is a first
// creature and a Pokédex, by the first of the eight badges' and by the one of
// the Hall of Fame.
func goalsFrom(creature, pokedex, badge, champion int) []Goal {
	goals := []Goal{{"first-creature", creature}, {"pokedex", pokedex}}
	for i := range 8 {
		goals = append(goals, Goal{"badge-" + string(rune('1'+i)), badge + i})
	}
	return append(goals, Goal{"champion", champion})
}
