package tui

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"clankie/emu"
	"clankie/play"
)

// slash is one command that is typed. parse turns its argument into a command
// for the sitting; commands that concern the program itself have run instead.
type slash struct {
	names []string // the first is shown
	args  string
	help  string
	lines string // help where nothing is drawn, "" where it is the same
	parse func(arg string) (play.Command, error)
	run   func(m *model, arg string) tea.Cmd
	// why says why the command cannot be used now, or "".
	why func(m *model) string
	// complete lists what the argument may be, with a note to each.
	complete func(m *model) []suggestion
}

// mindNames are the minds that can decide, and those that cannot with what
// they lack.
type mindNames struct {
	there  []string
	absent map[string]error
}

// about is the command's help, with the minds that there are.
func (c *slash) about(minds mindNames) string {
	if c.names[0] != "mind" || len(minds.there) == 0 {
		return c.help
	}
	help := c.help + ": " + clean(strings.Join(minds.there, ", "))
	for _, name := range slices.Sorted(maps.Keys(minds.absent)) {
		help += fmt.Sprintf("; /mind %s says what it lacks", clean(name))
	}
	return help
}

// suggestion is one way to complete the line.
type suggestion struct{ text, note string }

// slashes lists every command, in the order help shows them.
var slashes []slash

// The list refers to functions that refer to it, so it is filled here.
func init() {
	slashes = []slash{
		{names: []string{"save"}, args: "[label]", help: "make a save now", parse: parseSave, why: (*model).whyEnded},
		{names: []string{"load"}, args: "[id]", help: "load a save; without an id, choose from the list", lines: "load a save; without an id, list them", run: runLoad, why: (*model).whyEnded, complete: (*model).saveSuggestions},
		{names: []string{"restart"}, args: "[pin]", help: "start over from the boot savestate or a pinned one", parse: parseRestart, why: (*model).whyEnded, complete: (*model).pinSuggestions},
		{names: []string{"pin"}, args: "name", help: "pin the present, to restart from it at any time", parse: parsePin, why: (*model).whyEnded},
		{names: []string{"saves", "checkpoints"}, help: "look through the saves, load or delete one", lines: "list the saves", run: runSaves, why: (*model).whyEnded},
		{names: []string{"goto"}, args: "[run] [turn]", help: "look at a turn that is over, and branch from it", lines: "what a turn was that is over", run: runGoto, complete: (*model).gotoSuggestions},
		{names: []string{"branch"}, args: "[run] turn", help: "go on from a turn that is over; the present is kept", parse: parseBranch, why: (*model).whyEnded, complete: (*model).gotoSuggestions},
		{names: []string{"story"}, args: "[journey]", help: "the story of this journey, or of another", run: runStory, why: (*model).whyNoStory},
		{names: []string{"recall"}, help: "where we are: the story of what is being played", run: runRecall, why: (*model).whyNoStory},
		{names: []string{"pause"}, help: "stop before the next turn", parse: bare(play.CommandPause), why: (*model).whyEnded},
		{names: []string{"resume"}, help: "go on", parse: bare(play.CommandResume), why: (*model).whyEnded},
		{names: []string{"step"}, help: "play one turn, then pause again", parse: bare(play.CommandStep), why: (*model).whyNoStep},
		{names: []string{"speed"}, args: "1|2|4|max", help: "how fast frames run", parse: parseSpeed, why: (*model).whyEnded, complete: fixed("1", "2", "4", "max")},
		{names: []string{"say"}, args: "text", help: "say something to the mind", parse: parseSay, why: (*model).whyEnded},
		{names: []string{"mind"}, args: "name", help: "who decides", parse: parseMind, why: (*model).whyEnded, complete: (*model).mindSuggestions},
		{names: []string{"pad"}, help: "take the pad, or give it back", run: runPad, why: (*model).whyEnded},
		pageSlash(pageTrainer, "card"),
		pageSlash(pageParty),
		pageSlash(pageBag),
		pageSlash(pageBoxes, "box"),
		pageSlash(pageBattle),
		pageSlash(pageMap),
		pageSlash(pageScene),
		{names: []string{"fps"}, args: "30|60", help: "how often the picture is drawn", run: runFPS, complete: fixed("30", "60")},
		{names: []string{"view"}, help: "show or hide the picture", run: func(m *model, _ string) tea.Cmd { m.toggleView(); return nil }},
		{names: []string{"help"}, help: "keys and commands", run: func(m *model, _ string) tea.Cmd { m.push(newHelp(m.minds())); return nil }},
		{names: []string{"quit", "exit"}, help: "leave", run: func(m *model, _ string) tea.Cmd { return m.quit() }},
	}
}

// pageSlash is the command of a page of details.
func pageSlash(n int, more ...string) slash {
	c := slash{
		names: append([]string{pages[n].command}, more...), args: pages[n].args, help: pages[n].help,
		run: runPage(n), why: (*model).whyNothingSeen,
	}
	if c.args != "" {
		c.complete = entrySuggestions(n)
	}
	return c
}

// findSlash returns the command with that name, or nil.
func findSlash(name string) *slash {
	for i := range slashes {
		for _, n := range slashes[i].names {
			if n == name {
				return &slashes[i]
			}
		}
	}
	return nil
}

// splitLine parts a line into the command's name and its argument. A line
// without a slash is something said.
func splitLine(line string) (name, arg string) {
	line = strings.TrimSpace(line)
	rest, isCommand := strings.CutPrefix(line, "/")
	if !isCommand {
		return "say", line
	}
	name, arg, _ = strings.Cut(rest, " ")
	return strings.ToLower(name), strings.TrimSpace(arg)
}

// runLine carries out a typed line.
func (m *model) runLine(line string) tea.Cmd {
	name, arg := splitLine(line)
	c := findSlash(name)
	if c == nil {
		m.refuse("help", fmt.Sprintf("/%s is no command; /help lists them", clean(name)))
		return nil
	}
	if c.why != nil {
		if why := c.why(m); why != "" {
			m.refuse(c.names[0], "/"+c.names[0]+": "+why)
			return nil
		}
	}
	if c.run != nil {
		return c.run(m, arg)
	}
	cmd, err := c.parse(arg)
	if err != nil {
		m.refuse(c.names[0], clean(err.Error()))
		return nil
	}
	return m.send(cmd)
}

func bare(kind play.CommandKind) func(string) (play.Command, error) {
	return func(arg string) (play.Command, error) {
		if arg != "" {
			return play.Command{}, fmt.Errorf("/%s takes nothing after it", kind)
		}
		return play.Command{Kind: kind}, nil
	}
}

func parseSave(arg string) (play.Command, error) {
	label, err := labelOf(arg)
	return play.Command{Kind: play.CommandSave, Label: label}, err
}

// maxLabel is how long the label of a save and the name of a pin may be.
const maxLabel = 40

// labelOf makes a label of what people type: "By the gate!" is by-the-gate.
func labelOf(text string) (string, error) {
	var out strings.Builder
	for _, r := range strings.ToLower(text) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			out.WriteRune(r)
		} else if s := out.String(); s != "" && !strings.HasSuffix(s, "-") {
			out.WriteByte('-')
		}
	}
	label := strings.TrimRight(emu.Clip(out.String(), maxLabel), "-")
	if label == "" && text != "" {
		return "", fmt.Errorf("a name is made of a to z, 0 to 9 and -; %q has none of them", clean(text))
	}
	return label, nil
}

func parseRestart(arg string) (play.Command, error) {
	return play.Command{Kind: play.CommandRestart, Pin: arg}, nil
}

func parseSpeed(arg string) (play.Command, error) {
	s, err := play.ParseSpeed(strings.ToLower(arg))
	return play.Command{Kind: play.CommandSpeed, Speed: s}, err
}

func parsePin(arg string) (play.Command, error) {
	if arg == "" {
		return play.Command{}, fmt.Errorf("under which name? /pin name")
	}
	name, err := labelOf(arg)
	return play.Command{Kind: play.CommandPin, Pin: name}, err
}

func parseBranch(arg string) (play.Command, error) {
	at, err := parsePast(arg, math.MaxInt)
	if err != nil || arg == "" || at.Turn == play.LastTurn {
		return play.Command{}, fmt.Errorf("from which turn? /branch and its number, behind a run's id where it is of another sitting")
	}
	return play.Command{Kind: play.CommandBranch, Run: at.Run, Turn: at.Turn}, nil
}

func parseSay(arg string) (play.Command, error) {
	if arg == "" {
		return play.Command{}, fmt.Errorf("say what? /say text")
	}
	return play.Command{Kind: play.CommandSay, Text: clean(arg)}, nil
}

func parseMind(arg string) (play.Command, error) {
	if arg == "" {
		return play.Command{}, fmt.Errorf("which mind? /mind name; /help lists them")
	}
	return play.Command{Kind: play.CommandMind, Mind: strings.ToLower(arg)}, nil
}

func runLoad(m *model, arg string) tea.Cmd {
	if arg == "" {
		return m.openBrowser()
	}
	return m.send(play.Command{Kind: play.CommandLoad, ID: arg})
}

func runSaves(m *model, _ string) tea.Cmd { return m.openBrowser() }

func runPad(m *model, _ string) tea.Cmd {
	if m.pad.on {
		return m.givePad()
	}
	return m.takePad()
}

func runFPS(m *model, arg string) tea.Cmd {
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 || n > 60 {
		m.refuse("fps", "how many pictures a second? /fps 30 or /fps 60")
		return nil
	}
	m.fps = n
	m.say("the picture is drawn up to " + emu.Count(n, "time") + " a second")
	return nil
}

func fixed(values ...string) func(*model) []suggestion {
	return func(*model) []suggestion {
		out := make([]suggestion, len(values))
		for i, v := range values {
			out[i].text = v
		}
		return out
	}
}

func (m *model) pinSuggestions() []suggestion { return fixed(m.opts.Pins...)(m) }

func (m *model) mindSuggestions() []suggestion {
	out := fixed(m.opts.Minds...)(m)
	for _, name := range slices.Sorted(maps.Keys(m.opts.Absent)) {
		out = append(out, suggestion{clean(name), "cannot decide: " + clean(m.opts.Absent[name].Error())})
	}
	return out
}

// minds are the names that help lists.
func (m *model) minds() mindNames { return mindNames{m.opts.Minds, m.opts.Absent} }

func (m *model) saveSuggestions() []suggestion {
	var out []suggestion
	for _, e := range m.saves {
		note := saveLabel(e) + " · " + savePlace(e)
		if !e.Loadable() {
			note = healthWord(e.Health) + " · " + note
		}
		out = append(out, suggestion{clean(e.ID), note})
	}
	return out
}

// suggestionsFor lists how line can be completed. Each text is a whole line.
func (m *model) suggestionsFor(line string) []suggestion {
	rest, ok := strings.CutPrefix(line, "/")
	if !ok {
		return nil
	}
	name, arg, hasArg := strings.Cut(rest, " ")
	if !hasArg {
		return commandSuggestions(m, name)
	}
	c := findSlash(name)
	if c == nil || c.complete == nil {
		return nil
	}
	var out []suggestion
	arg = strings.ToLower(arg)
	for _, s := range c.complete(m) {
		if strings.HasPrefix(strings.ToLower(s.text), arg) || arg != "" && strings.Contains(strings.ToLower(s.note), arg) {
			out = append(out, suggestion{"/" + name + " " + s.text, s.note})
		}
	}
	return out
}

func commandSuggestions(m *model, prefix string) []suggestion {
	var out []suggestion
	for _, c := range slashes {
		if !strings.HasPrefix(c.names[0], strings.ToLower(prefix)) {
			continue
		}
		line := "/" + c.names[0]
		if c.args != "" {
			line += " "
		}
		note := c.about(m.minds())
		if c.why != nil {
			if why := c.why(m); why != "" {
				note = why
			}
		}
		out = append(out, suggestion{line, note})
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].text < out[j].text })
	return out
}
