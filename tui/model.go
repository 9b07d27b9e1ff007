package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"clankie/emu"
	"clankie/play"
)

// model is the whole state of the program. Bubble Tea calls Update and View
// from one goroutine; everything that waits happens in commands.
type model struct {
	ctx     context.Context
	sitting Sitting
	opts    Options
	pump    *pump
	fps     int

	layout  layout
	details details
	pal     *palette
	shades  bool // the terminal has no colours
	bigFeed bool // the picture is hidden by choice

	snap  *play.Snapshot // newest
	ended bool           // there will be no more news
	quiet bool           // there was no news lately, so no frame ran
	feed  *feed

	prompt  prompt
	pad     pad
	dialogs []dialog // the last one is on top

	outbox []request // commands on their way; the first is with the sitting
	group  int

	note   string // outcome of the last act, until the next key
	failed bool

	saves     []play.SaveEntry // as last listed, for completion
	savesRead bool
	fetching  bool // a preview is on its way
	visiting  bool // a turn that is over is on its way

	boxes   readBoxes
	asked   boxesAsked
	reading bool // the boxes are on their way

	picture pictureView
	panes   struct{ title, field, battle, party, dialog, mind, feed, hints cached }
	frame   string // what View returned last
	dirty   bool   // frame is out of date
}

// request is one command on its way to the sitting. When one fails the rest
// of its group is dropped.
type request struct {
	cmd   play.Command
	group int
}

// The messages of our own commands.
type (
	newsMsg struct {
		update play.Update
		quiet  bool // there is none
		err    error
	}
	ackMsg struct {
		req request
		ack play.Ack
		err error
	}
	savesMsg struct {
		saves []play.SaveEntry
		err   error
	}
	previewMsg struct {
		id      string
		picture emu.Picture
		err     error
	}
	// brokenMsg is a panic in one of our goroutines. what names the work.
	brokenMsg struct {
		what  string
		cause any
	}
)

func newModel(ctx context.Context, s Sitting, f Feed, o Options) *model {
	m := &model{
		ctx: ctx, sitting: s, opts: o.withDefaults(), pump: &pump{feed: f},
		pal: newPalette(true), feed: newFeed(), dirty: true,
	}
	m.fps = m.opts.FPS
	for _, n := range o.Notices {
		m.feed.add([]play.Event{{Kind: play.EventNotice, Text: n}})
	}
	if o.Resume != nil {
		m.push(newResumeDialog(*o.Resume, o.Notices))
	}
	return m
}

// Init implements tea.Model.
func (m *model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, m.waitForNews())
}

// Update implements tea.Model.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.dirty = true
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
	case tea.BackgroundColorMsg:
		if dark := msg.IsDark(); dark != m.pal.dark {
			m.pal = newPalette(dark)
		}
	case tea.ColorProfileMsg:
		m.shades = msg.Profile <= colorprofile.ASCII
	case tea.KeyboardEnhancementsMsg:
		m.pad.releases = m.pad.on && msg.SupportsEventTypes()
	case tea.BlurMsg:
		m.pad.held = nil
	case tea.KeyPressMsg:
		return m, tea.Batch(m.keyPress(tea.Key(msg)), m.fetchBoxes())
	case tea.KeyReleaseMsg:
		m.padRelease(tea.Key(msg))
	case tea.PasteMsg:
		return m, m.paste(msg.Content)
	case newsMsg:
		return m, tea.Batch(m.news(msg), m.fetchBoxes())
	case boxesMsg:
		return m, m.boxesCame(msg)
	case ackMsg:
		return m, m.acked(msg)
	case savesMsg:
		return m, m.listed(msg)
	case previewMsg:
		return m, m.pictured(msg)
	case pastMsg:
		return m, m.visited(msg)
	case storyMsg:
		m.toldStory(msg)
	case brokenMsg:
		return m, m.broken(msg)
	default:
		m.dirty = false
	}
	return m, nil
}

func (m *model) resize(w, h int) {
	m.layout = newLayout(w, h, m.bigFeed, m.details.open)
}

func (m *model) toggleView() {
	m.bigFeed = !m.bigFeed
	m.resize(m.layout.w, m.layout.h)
}

// keyPress gives a key to whoever has the focus: the top dialog, the line
// that is typed, the game, or the program.
func (m *model) keyPress(k tea.Key) tea.Cmd {
	m.note = ""
	switch {
	case m.layout.tooSmall: // nobody can see what a key would do
		if k.Keystroke() == "ctrl+c" {
			return tea.Quit
		}
		return nil
	case len(m.dialogs) > 0:
		return m.do(m.dialogs[len(m.dialogs)-1].key(k))
	case m.prompt.open:
		return m.promptKey(k)
	case m.pad.on:
		return m.padKey(k)
	}
	return m.watchKey(k)
}

func (m *model) paste(text string) tea.Cmd {
	switch b := m.browser(); {
	case b != nil && m.dialogs[len(m.dialogs)-1] == dialog(b):
		b.filter.insert(text)
		b.refilter()
		return m.fetchPreview()
	case len(m.dialogs) == 0 && m.prompt.open:
		m.prompt.line.insert(text)
		return m.offer()
	}
	return nil
}

// do carries out what a dialog asked for.
func (m *model) do(a action) tea.Cmd {
	if n := len(m.dialogs); a.pop > 0 {
		m.dialogs = m.dialogs[:n-min(a.pop, n)]
	}
	if a.push != nil {
		m.push(a.push)
	}
	var cmds []tea.Cmd
	if len(a.send) > 0 {
		cmds = append(cmds, m.send(a.send...))
	}
	if a.list {
		cmds = append(cmds, m.listSaves())
	}
	if a.preview != "" {
		cmds = append(cmds, m.fetchPreview())
	}
	if a.past {
		cmds = append(cmds, m.fetchPast())
	}
	if a.quit {
		cmds = append(cmds, tea.Quit)
	}
	return tea.Batch(cmds...)
}

func (m *model) push(d dialog) {
	m.prompt.stop()
	m.pad.held = nil
	m.dialogs = append(m.dialogs, d)
}

// browser returns the open browser of saves, or nil.
func (m *model) browser() *browser {
	for _, d := range m.dialogs {
		if b, ok := d.(*browser); ok {
			return b
		}
	}
	return nil
}

func (m *model) openBrowser() tea.Cmd {
	m.push(newBrowser(m.shades))
	return m.listSaves()
}

func (m *model) quit() tea.Cmd {
	if m.ended {
		return tea.Quit
	}
	m.push(newQuitDialog())
	return nil
}

func (m *model) togglePause() tea.Cmd {
	if why := m.whyEnded(); why != "" {
		m.fail(why)
		return nil
	}
	if m.snap.Paused {
		return m.send(play.Command{Kind: play.CommandResume})
	}
	return m.send(play.Command{Kind: play.CommandPause})
}

// say and fail put one line where the operator looks, until the next key.
func (m *model) say(text string)  { m.note, m.failed = text, false }
func (m *model) fail(text string) { m.note, m.failed = text, true }

// refuse is fail for a command that was typed.
func (m *model) refuse(command, text string) {
	m.fail(text)
	m.tellWhole(command)
}

// news takes in what the sitting showed and waits for more.
func (m *model) news(msg newsMsg) tea.Cmd {
	m.feed.add(msg.update.Events)
	m.quiet = msg.quiet
	var cmd tea.Cmd
	if s := msg.update.Snapshot; s != nil {
		m.snap = s
		cmd = m.padNews(s)
		if d := m.past(); d != nil {
			d.grown(m.lastTurn())
		}
	}
	if msg.err == nil {
		return tea.Batch(cmd, m.waitForNews())
	}
	if m.ctx.Err() == nil {
		m.end(msg.err)
	}
	return cmd
}

func (m *model) end(err error) {
	m.ended = true
	m.pad = pad{}
	switch {
	case !errors.Is(err, play.ErrWatchClosed):
		m.fail("the sitting can no longer be watched: " + clean(err.Error()))
	case m.snap != nil && m.snap.Outcome == play.OutcomeFailed:
		m.fail("the sitting has ended: it failed · the decisions say why · q leaves")
	case m.snap != nil && m.snap.Outcome != "":
		m.say("the sitting has ended: " + clean(m.snap.Outcome) + " · q leaves")
	default:
		m.say("the sitting has ended · q leaves")
	}
}

// acked takes in what a command came to and sends the next one.
func (m *model) acked(msg ackMsg) tea.Cmd {
	if len(m.outbox) > 0 {
		m.outbox = m.outbox[1:]
	}
	if msg.err != nil {
		kept := m.outbox[:0]
		for _, r := range m.outbox {
			if r.group != msg.req.group {
				kept = append(kept, r)
			}
		}
		m.outbox = kept
	}
	return tea.Batch(m.outcome(msg), m.sendFirst())
}

// outcome shows what a command came to where the operator looks for it.
func (m *model) outcome(msg ackMsg) tea.Cmd {
	kind := msg.req.cmd.Kind
	text := clean(msg.ack.Text)
	if msg.err != nil {
		text = commandName(kind) + ": " + clean(msg.err.Error())
	} else if id := clean(msg.ack.BankedID); id != "" {
		// The line has room for one id; the feed has the whole sentence.
		text = "the present is kept as " + id + "; " + wentBackTo(msg)
	} else if text == "" {
		text = commandName(kind) + ": done"
	}
	if kind == play.CommandPress {
		if msg.err == nil {
			return nil // the game shows it
		}
		m.pad.waiting = max(m.pad.waiting-1, 0)
	}
	if kind == play.CommandTakePad && msg.err == nil {
		m.padTaken()
	}
	if kind == play.CommandPin && msg.err == nil {
		m.pinned(msg.req.cmd.Pin)
	}
	m.note, m.failed = text, msg.err != nil
	if m.failed && kind != play.CommandPress { // the line may be in use, and is cleared by the next key
		m.feed.add([]play.Event{{Kind: play.EventError, Text: text}})
	}
	m.tellWhole(commandName(kind))
	b := m.browser()
	if b == nil {
		return nil
	}
	if kind == play.CommandDeleteSave || kind == play.CommandSave || kind == play.CommandLoad {
		b.outcome, b.failed = text, m.failed
		return m.listSaves()
	}
	return nil
}

// tellWhole shows a failure that is too long for its line, unless the operator
// is busy with something else.
func (m *model) tellWhole(command string) {
	busy := len(m.dialogs) > 0 || m.prompt.open || m.pad.on
	if m.failed && !busy && !m.layout.tooSmall && width(m.note)+2 > m.layout.command.w {
		m.push(newTelling("/"+command, m.note))
	}
}

// wentBackTo says where a load or a restart led.
func wentBackTo(msg ackMsg) string {
	switch c := msg.req.cmd; {
	case msg.ack.CheckpointID != "":
		return "went back to " + clean(msg.ack.CheckpointID)
	case c.Pin != "":
		return "went back to the pin " + clean(c.Pin)
	}
	return "went back to the beginning"
}

// pinned makes a new pin one that /restart completes.
func (m *model) pinned(name string) {
	if !slices.Contains(m.opts.Pins, name) {
		m.opts.Pins = append(slices.Clone(m.opts.Pins), name)
	}
}

func (m *model) listed(msg savesMsg) tea.Cmd {
	if msg.err == nil {
		m.saves = msg.saves
	}
	if m.prompt.open {
		m.offer()
	}
	b := m.browser()
	if b == nil {
		return nil
	}
	b.setSaves(msg.saves, msg.err)
	return m.fetchPreview()
}

func (m *model) pictured(msg previewMsg) tea.Cmd {
	m.fetching = false
	b := m.browser()
	if b == nil {
		return nil
	}
	p := preview{picture: msg.picture}
	if msg.err != nil {
		p.why = clean(msg.err.Error())
	}
	b.setPicture(msg.id, p)
	return m.fetchPreview()
}

// broken shows that something of ours panicked. The program goes on; what was
// lost is named.
func (m *model) broken(msg brokenMsg) tea.Cmd {
	m.fail(fmt.Sprintf("%s broke: %s", msg.what, clean(fmt.Sprint(msg.cause))))
	switch msg.what {
	case workNews:
		m.ended = true
		m.pad = pad{}
	case workSend:
		m.outbox = nil
	case workPreview:
		m.fetching = false
	case workPast:
		m.visiting = false
		if d := m.past(); d != nil {
			d.why = m.note
		}
	case workBoxes:
		m.boxesCame(boxesMsg{err: errors.New(m.note)})
	case workStory:
		m.toldStory(storyMsg{err: errors.New(m.note)})
	case workList:
		if b := m.browser(); b != nil {
			b.loading, b.err = false, m.note
		}
	}
	return nil
}
