package gen3

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clankie/emu"
	"clankie/emu/mgba"
	"clankie/emu/sharedtest"

	"github.com/go-json-experiment/json"
)

// emerald is another family's build (USA, Europe) as data alone. The project
// does not offer it yet; here it brings savestates with open dialogues and a
// battle, made by other people, to the rules that say what is live.
func emerald() *Profile {
	return &Profile{
		Name: "emerald", Prefix: "emerald", GameCode: "BPEE",
		RAM: RAM{
			SaveBlock1Ptr: 0x03005D8C, SaveBlock2Ptr: 0x03005D90, StoragePtr: 0x03005D94,
			PlayerParty: 0x020244EC, PlayerPartyCount: 0x020244E9, EnemyParty: 0x02024744,
			BattleMons: 0x02024084, BattleTypeFlags: 0x02022FEC, BattleOutcome: 0x0202433A,
			BattlersCount: 0x0202406C, BattlerPartyIndexes: 0x0202406E, BattlerPositions: 0x02024076,
			ControllerFuncs: 0x03005D60, ExecFlags: 0x02024068, BattleBufferA: 0x02023064,
			ActionCursor: 0x020244AC, MoveCursor: 0x020244B0, DisplayedString: 0x02022E2C,
			DisableStructs: 0x020242BC, TrainerOpponent: 0x02038BCA, TargetCursor: 0x03005D74,
			BattleScript: 0x02024214, BattleCommunication: 0x02024332, BattleScripting: 0x02024474,
			ObjectEvents: 0x02037350, PlayerAvatar: 0x02037590, MapHeader: 0x02037318, BackupLayout: 0x03005DC0,
			Main: 0x030022C0, Tasks: 0x03005E00, Sprites: 0x02020630, PaletteFade: 0x02037FD4,
			StringVar4: 0x02021FC4, TextPrinters: 0x020201B0, TextFlags: 0x03003014, Menu: 0x0203CD90,
			ScriptContext: 0x03000E40, ScriptStatus: 0x03000E38, LockFieldControls: 0x03000F2C,
			StartMenuCallback: 0x03005DF4, StartMenuCursor: 0x0203760E,
			StartMenuCount: 0x0203760F, StartMenuOrder: 0x02037610, SaveDialog: 0x0203761C,
			PartyMenu: 0x0203CEC8, PartyMenuInternal: 0x0203CEC4, Naming: 0x02039F94,
		},
		Layout: Layout{
			SpeciesMax: 411, MoveMax: 354, ItemMax: 376, InBattle: 0x439,
			Pockets: []Pocket{
				{"items", 0x560, 30}, {"key-items", 0x5D8, 30}, {"poke-balls", 0x650, 16}, {"tm-hm", 0x690, 64}, {"berries", 0x790, 46},
			},
			Money: 0x490, Coins: 0x494, Flags: 0x1270, BadgeFlag: 0x867, DynamicWarp: 0x14, EncryptionKey: 0xAC,
			BlockX: 15, BlockY: 14,
			PrimaryMetatiles: 512, MetatileAttributes: 0x10, MetatileAttributeSize: 2, BehaviorMask: 0xFF,
		},
		code: map[uint32]codeEntry{
			0x08085E04: {role: roleFieldInput},
			0x08085E5C: {roleField, "overworld"},
			0x08038420: {roleBattle, "battle"},
			0x0802F6B0: {roleMainMenu, "main_menu"},
			0x0803024C: {role: roleMainMenuInput},
			0x08098154: {role: roleMessageBox},
			0x0809AC98: {role: roleWaitButton},
			0x08057588: {role: roleChooseAction},
			0x08057BFC: {role: roleChooseMove},
		},
	}
}

// expectedScene is what the independent decoder says of such a savestate.
type expectedScene struct {
	Screen   string `json:"screen"`
	Position *struct {
		X      int    `json:"x"`
		Y      int    `json:"y"`
		Facing string `json:"facing"`
	} `json:"position"`
	Map struct {
		Width  int `json:"width"`
		Height int `json:"height"`
	} `json:"map"`
	Dialog struct {
		Open    bool   `json:"open"`
		Waiting bool   `json:"waiting_for_button"`
		Text    string `json:"string_var_4"`
	} `json:"dialog"`
	Player struct {
		Name  string `json:"name"`
		Money int    `json:"money"`
	} `json:"player"`
	Party []struct {
		Species int `json:"species"`
		Level   int `json:"level"`
	} `json:"party"`
	Battle struct {
		InBattle bool `json:"in_battle"`
		Battlers []struct {
			Species int    `json:"species"`
			HP      int    `json:"hp"`
			Types   []int  `json:"types"`
			Side    string `json:"side"`
		} `json:"battlers"`
	} `json:"battle"`
}

func TestSecondFamilyIsData(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(sharedtest.Path(t, "data", "states", "emerald_extra"), "*.state"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no savestates: %v", err)
	}
	more, _ := filepath.Glob(filepath.Join(sharedtest.Path(t, "data", "states", "emerald"), "*.ss1"))
	for _, path := range append(paths, more...) {
		set, file := filepath.Base(filepath.Dir(path)), filepath.Base(path)
		t.Run(set+"/"+file, func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			state, err := mgba.ParseSavestate(data)
			if err != nil {
				t.Fatal(err)
			}
			var want expectedScene
			data, err = os.ReadFile(sharedtest.Path(t, "data", "expected", set, strings.TrimSuffix(file, filepath.Ext(file))+".json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			p := emerald()
			st := Decode(state.Memory(), p)
			checkState(t, &st, p)
			compareScene(t, st, &want)
		})
	}
}

func compareScene(t *testing.T, st emu.State, want *expectedScene) {
	equal(t, "torn", st.Torn, false)
	equal(t, "screen", string(st.Scene.Screen), want.Screen)
	equal(t, "dialog open", st.Dialog != nil, want.Dialog.Open)
	equal(t, "dialog waits", st.Scene.WaitingForDialogAdvance, want.Dialog.Waiting)
	if st.Dialog != nil {
		first, _, _ := strings.Cut(want.Dialog.Text, "\n")
		equal(t, "first line", st.Dialog.Lines[0], first)
	}
	equal(t, "in battle", st.Battle != nil, want.Battle.InBattle)
	if st.Battle != nil {
		for i, w := range want.Battle.Battlers {
			g := st.Battle.Battlers[i]
			equal(t, "battler", []any{g.Species, g.HP, g.Side}, []any{w.Species, w.HP, w.Side})
		}
		equal(t, "prompt", st.Battle.Prompt, emu.PromptAction)
	}
	if o := st.Overworld; o != nil {
		equal(t, "x", o.Position.X, want.Position.X+emu.MapBorder)
		equal(t, "y", o.Position.Y, want.Position.Y+emu.MapBorder)
		equal(t, "facing", string(o.Facing), want.Position.Facing)
		if o.Grid != nil {
			equal(t, "size", *o.Size, emu.MapSize{Width: want.Map.Width, Height: want.Map.Height})
		}
	}
	if want.Screen == "main_menu" {
		return
	}
	equal(t, "name", st.Trainer.Name, want.Player.Name)
	equal(t, "money", st.Trainer.Money, want.Player.Money)
	equal(t, "party", len(st.Party.Members), len(want.Party))
	for i, w := range want.Party {
		g := st.Party.Members[i]
		if !g.Egg {
			equal(t, "member", []int{g.Species, g.Level}, []int{w.Species, w.Level})
		}
	}
}
