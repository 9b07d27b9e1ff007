package emu

func observeBattle(in ObservationInput) (BattleData, *Error) {
	b := in.State.Battle
	if b == nil || !in.State.Scene.Mode.InBattle() {
		return BattleData{}, refuse(CodeBattleNotActive, "no battle is on")
	}
	foe := b.Opponent()
	if foe == nil || !validID(foe.SpeciesID) || !validVitals(foe.Level, foe.HP, foe.MaxHP) {
		return BattleData{}, refuse(CodeBattleCorrupt, "the opponent is not there or out of bounds")
	}
	if b.Own() == nil {
		return BattleData{}, refuse(CodeBattleNotActive, "nobody of the player's fights here: what can be done is in the menu")
	}
	if !activeSlotExists(b, in.State.Party) {
		return BattleData{}, refuse(CodePartyCorrupt, "the battling member is not in the party")
	}
	moves := strictMoves(b.LegalMoves)
	if len(moves) == 0 || !within(b.MoveCursor, 0, maxLegalMoves-1) || !validID(b.ID) {
		return BattleData{}, refuse(CodeBattleCorrupt, "the moves, the cursor or the battle's number are out of bounds")
	}
	return BattleData{
		BattleID:        b.ID,
		Turn:            min(max(b.Turn, 1), maxTurn),
		Phase:           battlePhase(in.State.Scene.Mode, b.Prompt),
		Opponent:        BattleOpponent{SpeciesID: foe.SpeciesID, Level: foe.Level, CurrentHP: foe.HP, MaxHP: foe.MaxHP},
		ActivePartySlot: b.ActivePartySlot,
		MoveCursor:      b.MoveCursor,
		LegalMoves:      moves,
		Untrusted:       true,
	}, nil
}

// activeSlotExists does not need a party: one that was not read takes no
// battle down with it.
func activeSlotExists(b *Battle, p *Party) bool {
	if !within(b.ActivePartySlot, 0, maxPartyMembers-1) {
		return false
	}
	return p == nil || b.ActivePartySlot < len(p.Members)
}

func strictMoves(legal []LegalMove) []BattleMove {
	moves := make([]BattleMove, 0, maxLegalMoves)
	for _, m := range legal {
		if validID(m.MoveID) && len(moves) < maxLegalMoves {
			moves = append(moves, BattleMove{MoveID: m.MoveID, Power: min(max(m.Power, 0), maxPower)})
		}
	}
	return moves
}

func battlePhase(mode Mode, prompt Prompt) BattlePhase {
	switch {
	case mode == ModeBattleWon:
		return PhaseWon
	case mode == ModeBattleLost:
		return PhaseLost
	case prompt == PromptNone || prompt == "":
		return PhaseResolving
	}
	return PhaseAwaitingInput
}
