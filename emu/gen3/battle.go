package gen3

import (
	"clankie/emu"
)

// Offsets in struct BattlePokemon (4 × 0x58).
const (
	battlerStride    = 0x58
	monSpecies       = 0x00
	monMoves         = 0x0C
	monStages        = 0x18
	monType1         = 0x21
	monType2         = 0x22
	monPP            = 0x24
	monHP            = 0x28
	monLevel         = 0x2A
	monMaxHP         = 0x2C
	monNickname      = 0x30
	monNicknameBytes = 11
	monPPBonuses     = 0x3B
	monPersonality   = 0x48
	monStatus1       = 0x4C
	monStatus2       = 0x50

	status2Transformed = 0x00200000
	status2Foresight   = 0x20000000

	battlersMax        = 4
	stageCount         = 8
	stageMax           = 12
	outcomeMax         = 10
	outcomeLinkRan     = 0x80
	cursorMax          = 3
	sidePlayer         = "player"
	sideOpponent       = "opponent"
	controllerBuffer   = 0x200 // bytes of gBattleBufferA per battler
	commandChoose      = 0x12  // controller commands
	commandChooseMove  = 0x14
	disableStride      = 0x1C // struct DisableStruct
	disableMimicked    = 0x18 // high nibble: slots taught by Mimic
	moveStruggle       = 165
	effectivenessEnd   = 0xFF
	effectivenessSight = 0xFE // rows after it do not hold under Foresight
	effectivenessRow   = 3
	effectivenessRows  = 128
)

// Bits of gBattleTypeFlags that all families share.
const (
	battleDouble  = 0x1
	battleLink    = 0x2
	battleTrainer = 0x8
	battleFirst   = 0x10
	battleMulti   = 0x40
	battleSafari  = 0x80
)

// battleKind names a battle by its type flags. A tutorial is one that somebody
// else fights: the old man's, the Poké Dude's, Wally's.
func (l *Layout) battleKind(flags uint32) string {
	switch {
	case flags&battleLink != 0:
		return "link"
	case flags&battleSafari != 0:
		return "safari"
	case flags&l.TutorialFlags != 0:
		return "tutorial"
	case flags&battleMulti != 0:
		return "multi"
	case flags&l.TwoOpponentsFlag != 0:
		return "two trainers"
	case flags&battleDouble != 0:
		return "double"
	case flags&battleTrainer != 0:
		return "trainer"
	}
	return "wild"
}

// battle reads the live battle, with what it asks of the player.
func (d *decoder) battle() *emu.Battle {
	b := d.battleRecord()
	if b == nil {
		return nil
	}
	if d.battleStale(b) {
		d.torn(partBattle, "the battle is being set up")
		return nil
	}
	d.readPrompts(b)
	if b.Prompt == emu.PromptNone {
		b.Text = lines(d.bytes(d.p.RAM.DisplayedString, battleStringBytes), 0)
	}
	return b
}

// readPrompts reads what the player is asked, about the first place of his that
// something is asked about. In the Safari Zone nobody stands there.
func (d *decoder) readPrompts(b *emu.Battle) {
	if d.now.role != roleBattle {
		return
	}
	for i := range int(d.u8(d.p.RAM.BattlersCount)) {
		prompt := d.controllerPrompt(i)
		if d.u8(d.p.RAM.BattlerPositions+uint32(i))&1 != 0 || prompt == emu.PromptNone {
			continue
		}
		if own := battlerAt(b, i); own != nil {
			own.Prompt = prompt
		}
		if b.Prompt == emu.PromptNone {
			b.Prompt, b.PromptIndex = prompt, i
			d.focus(b, i)
		}
	}
}

// battlerAt is the battler with an index, or nil.
func battlerAt(b *emu.Battle, index int) *emu.Battler {
	for i := range b.Battlers {
		if b.Battlers[i].Index == index {
			return &b.Battlers[i]
		}
	}
	return nil
}

// battleRecord reads the battle's variables, whether or not they are live.
func (d *decoder) battleRecord() *emu.Battle {
	ram := &d.p.RAM
	n := int(d.u8(ram.BattlersCount))
	if n != 2 && n != battlersMax {
		d.torn(partBattle, "the battle counts "+emu.Count(n, "battler"))
		return nil
	}
	b := &emu.Battle{
		TypeFlags: d.u32(ram.BattleTypeFlags) & d.p.Layout.BattleFlagsMask,
		Outcome:   int(d.u8(ram.BattleOutcome) &^ outcomeLinkRan),
		Prompt:    emu.PromptNone,
		Battlers:  make([]emu.Battler, 0, n),

		LegalMoves: []emu.LegalMove{},
	}
	b.Kind = d.p.Layout.battleKind(b.TypeFlags)
	if b.TypeFlags&battleTrainer != 0 {
		b.TrainerID = int(d.u16(ram.TrainerOpponent))
		b.TrainerName = d.trainerName(b.TypeFlags, b.TrainerID)
	}
	if b.TypeFlags&d.p.Layout.TwoOpponentsFlag != 0 {
		b.SecondTrainerID = int(d.u16(ram.SecondOpponent))
		b.SecondTrainerName = d.trainerName(b.TypeFlags, b.SecondTrainerID)
	}
	if b.Outcome > outcomeMax {
		d.torn(partBattle, "the battle's outcome is no outcome")
		return nil
	}
	for i := range n {
		if battler, ok := d.battler(i); ok {
			b.Battlers = append(b.Battlers, battler)
		}
	}
	if b.Opponent() == nil || (b.Own() == nil && b.TypeFlags&battleSafari == 0) {
		d.torn(partBattle, "the battle has not begun")
		return nil
	}
	for i := range b.Battlers {
		b.Battlers[i].Matchups = d.matchups(b, &b.Battlers[i])
	}
	for i := range b.Battlers {
		if b.Battlers[i].Side == sidePlayer {
			d.focus(b, b.Battlers[i].Index)
			break
		}
	}
	return b
}

// matchups compares a battler's moves with the types of everyone on the other
// side; nil without the type chart.
func (d *decoder) matchups(b *emu.Battle, own *emu.Battler) (out []emu.Matchup) {
	if d.tables.TypeChart == 0 {
		return nil
	}
	for i := range b.Battlers {
		target := &b.Battlers[i]
		if target.Side == own.Side {
			continue
		}
		m := emu.Matchup{Target: target.Index, Moves: [4]float64{1, 1, 1, 1}}
		for slot := range own.Moves {
			// Struggle takes no part in type effects.
			if id := own.Moves[slot].ID; own.Moves[slot].Power > 0 && id != moveStruggle {
				m.Moves[slot] = d.effectiveness(d.moveData(id).typ, target)
			}
		}
		out = append(out, m)
	}
	return out
}

// battler reads one of gBattleMons; ok is false for a place without a
// creature, as the player's in the Safari Zone.
func (d *decoder) battler(i int) (b emu.Battler, ok bool) {
	ram := &d.p.RAM
	m := d.bytes(ram.BattleMons+uint32(i*battlerStride), battlerStride)
	position := int(d.u8(ram.BattlerPositions + uint32(i)))
	if m == nil || position >= battlersMax {
		return b, false
	}
	species, level := le16(m, monSpecies), int(m[monLevel])
	hp, maxHP := le16(m, monHP), le16(m, monMaxHP)
	if species < 1 || species > d.p.Layout.SpeciesMax || level < 1 || level > levelMax ||
		maxHP < 1 || maxHP > 9999 || hp > maxHP {
		return b, false
	}
	b = emu.Battler{
		Index: i, Side: sidePlayer, Slot: min(int(d.u16(ram.BattlerPartyIndexes+uint32(2*i))), partySlots-1),
		Species: species, SpeciesID: d.p.SpeciesID(species), SpeciesName: d.speciesName(species),
		Nickname: name(m[monNickname : monNickname+monNicknameBytes]),
		Level:    level, HP: hp, MaxHP: maxHP,
		Ailment: ailment(le32(m, monStatus1)), Status: le32(m, monStatus1),
		TypeIDs:     distinctTypes(int(m[monType1]), int(m[monType2])),
		Transformed: le32(m, monStatus2)&status2Transformed != 0,
		Prompt:      emu.PromptNone,
		Absent:      d.u8(ram.AbsentBattlers)>>i&1 != 0,
	}
	if position&1 != 0 {
		b.Side = sideOpponent
	}
	b.Types = d.typeNames(b.TypeIDs)
	if b.Transformed {
		b.Origin = d.origin(&b)
		b.OriginName = d.speciesName(b.Origin)
	}
	for s := range b.StatStages {
		b.StatStages[s] = min(max(int(int8(m[monStages+s])), 0), stageMax)
	}
	b.Moves = d.moveSlots(func(s int) (int, int) { return le16(m, monMoves+2*s), int(m[monPP+s]) }, m[monPPBonuses])
	return b, true
}

// origin is the species of the party record that a battler is; 0 when the
// record does not hold.
func (d *decoder) origin(b *emu.Battler) int {
	party := d.p.RAM.PlayerParty
	if b.Side == sideOpponent {
		party = d.p.RAM.EnemyParty
	}
	rec := d.bytes(party+uint32(b.Slot*recordBytes), recordBytes)
	if s, ok := readSecure(rec); ok && s.species() <= d.p.Layout.SpeciesMax {
		return s.species()
	}
	return 0
}

// focus makes one of the player's places the one the battle is about.
func (d *decoder) focus(b *emu.Battle, index int) {
	ram := &d.p.RAM
	b.ActionCursor = min(int(d.u8(ram.ActionCursor+uint32(index))), cursorMax)
	b.MoveCursor = min(int(d.u8(ram.MoveCursor+uint32(index))), cursorMax)
	if own := battlerAt(b, index); own != nil {
		b.ActivePartySlot = own.Slot
		b.LegalMoves = d.legalMoves(own, b.Opponent())
	}
}

// legalMoves lists the moves with PP left, or the one that is used when there
// is none.
func (d *decoder) legalMoves(own, opponent *emu.Battler) []emu.LegalMove {
	out := make([]emu.LegalMove, 0, len(own.Moves))
	for i, m := range own.Moves {
		if m.ID != 0 && m.PP > 0 {
			out = append(out, d.legalMove(i, m.ID, own, opponent))
		}
	}
	if len(out) == 0 {
		out = append(out, d.legalMove(0, moveStruggle, own, opponent))
	}
	return out
}

func (d *decoder) legalMove(slot, id int, own, opponent *emu.Battler) emu.LegalMove {
	m := emu.LegalMove{Slot: slot, MoveID: d.p.MoveID(id), Effectiveness: 1}
	data := d.moveData(id)
	if !data.known {
		return m
	}
	m.Power, m.Type, m.Accuracy = data.power, d.typeName(data.typ), data.accuracy
	if id == moveStruggle {
		return m // takes no part in type effects
	}
	for _, t := range own.TypeIDs {
		m.STAB = m.STAB || t == data.typ
	}
	m.Effectiveness = d.effectiveness(data.typ, opponent)
	return m
}

// effectiveness multiplies the rows of gTypeEffectiveness that concern a
// move's type and its target's types.
func (d *decoder) effectiveness(attack int, target *emu.Battler) float64 {
	result := 1.0
	if d.tables.TypeChart == 0 || target == nil {
		return result
	}
	foresight := d.u32(d.p.RAM.BattleMons+uint32(target.Index*battlerStride)+monStatus2)&status2Foresight != 0
	chart := d.typeChart()
	for ; len(chart) >= effectivenessRow; chart = chart[effectivenessRow:] {
		if chart[0] == effectivenessEnd || (chart[0] == effectivenessSight && foresight) {
			break
		}
		if int(chart[0]) != attack {
			continue
		}
		for _, t := range target.TypeIDs {
			if t == int(chart[1]) {
				result *= float64(chart[2]) / 10
			}
		}
	}
	return result
}

// typeChart is the table in one piece, as much of it as the cartridge has.
func (d *decoder) typeChart() []byte {
	for n := effectivenessRows; n > 0; n /= 2 {
		if b := d.bytes(d.tables.TypeChart, n*effectivenessRow); b != nil {
			return b
		}
	}
	return nil
}

// battleStale reports whether the variables are those of the battle before: the
// game has not come to read the battlers from the parties, or every battler is
// somebody else than the party member it is said to be. While one is being
// switched the others still agree.
func (d *decoder) battleStale(b *emu.Battle) bool {
	ram := &d.p.RAM
	if d.now.role == roleBattle && d.p.codeAt(d.u32(ram.BattleMainFunc)).role == roleBattleSetup {
		return true
	}
	compared, agree := 0, 0
	for i := range b.Battlers {
		party := ram.PlayerParty
		if b.Battlers[i].Side == sideOpponent {
			party = ram.EnemyParty
		}
		ours := d.u32(ram.BattleMons + uint32(b.Battlers[i].Index*battlerStride) + monPersonality)
		theirs := d.u32(party + uint32(b.Battlers[i].Slot*recordBytes) + recPersonality)
		if ours == 0 || theirs == 0 {
			continue // not recorded
		}
		compared++
		if ours == theirs {
			agree++
		}
	}
	return d.now.role == roleBattle && compared == len(b.Battlers) && agree == 0
}

// execBit reports whether a battler's controller is busy or waits for input.
func (d *decoder) execBit(battler int) bool {
	return d.u32(d.p.RAM.ExecFlags)>>battler&1 != 0
}

// controllerPrompt is what a battler's controller waits for. Its function says
// it; a buffered command alone may be one that is not shown yet.
func (d *decoder) controllerPrompt(battler int) emu.Prompt {
	if !d.execBit(battler) {
		return emu.PromptNone
	}
	switch d.p.codeAt(d.u32(d.p.RAM.ControllerFuncs + uint32(4*battler))).role {
	case roleChooseAction, roleChooseSafari:
		return emu.PromptAction
	case roleChooseMove:
		return emu.PromptMove
	case roleChooseTarget:
		return emu.PromptTarget
	}
	return emu.PromptNone
}

// controllerIn is the battler whose controller waits in a function with role r.
func (d *decoder) controllerIn(r role) (battler int, ok bool) {
	for i := range battlersMax {
		if d.execBit(i) && d.p.codeAt(d.u32(d.p.RAM.ControllerFuncs+uint32(4*i))).role == r {
			return i, true
		}
	}
	return 0, false
}

// commandPrompt is what the last command to a battler's controller asks for.
func (d *decoder) commandPrompt(battler int) emu.Prompt {
	if !d.execBit(battler) {
		return emu.PromptNone
	}
	switch d.u8(d.p.RAM.BattleBufferA + uint32(battler*controllerBuffer)) {
	case commandChoose:
		return emu.PromptAction
	case commandChooseMove:
		return emu.PromptMove
	}
	return emu.PromptNone
}

// overlayBattle brings the party members that fight up to date: the party's
// own records follow only when the battle is over. A transformed one keeps its
// own moves.
func (d *decoder) overlayBattle() {
	if d.st.Battle == nil || d.st.Party == nil {
		return
	}
	members := d.st.Party.Members
	for i := range d.st.Battle.Battlers {
		b := &d.st.Battle.Battlers[i]
		if b.Side != sidePlayer {
			continue
		}
		slot := d.memberOf(b)
		if slot < 0 || members[slot].Egg || members[slot].BadEgg {
			continue
		}
		c := &members[slot]
		c.HP, c.Ailment = min(b.HP, c.MaxHP), b.Ailment
		if b.Transformed {
			continue
		}
		mimicked := d.u8(d.p.RAM.DisableStructs+uint32(b.Index*disableStride)+disableMimicked) >> 4
		for s := range c.Moves {
			if mimicked>>s&1 == 0 {
				c.Moves[s] = b.Moves[s]
			}
		}
	}
	if d.st.Battle.ActivePartySlot < len(members) {
		d.st.Party.ActiveSlot = d.st.Battle.ActivePartySlot
	}
}

// memberOf finds the party member a battler is. The party is reordered while
// its menu is open in a battle, so the personality decides where both have one.
func (d *decoder) memberOf(b *emu.Battler) int {
	members := d.st.Party.Members
	personality := d.u32(d.p.RAM.BattleMons + uint32(b.Index*battlerStride) + monPersonality)
	if b.Slot < len(members) && (personality == 0 || members[b.Slot].Personality == personality) {
		return b.Slot
	}
	for i := range members {
		if personality != 0 && members[i].Personality == personality {
			return i
		}
	}
	return -1
}
