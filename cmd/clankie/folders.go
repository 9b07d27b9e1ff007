package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// folders are where the program keeps things, by the XDG conventions and the
// variables that override single ones. An empty variable counts as unset.
type folders struct {
	cache       string // everything that can be made again
	cores       string // built core modules
	checkpoints string // saves
	journals    string // journals of play
	runtime     string // records of running sessions
	pins        string // an operator's own games, and pinned starts
	lastPlayed  string // the file that names the game played last
	servers     string // what running MCP servers need, a folder each
}

// findFolders resolves the folders; it makes none of them.
func findFolders() (folders, error) {
	cache, err := base("XDG_CACHE_HOME", ".cache")
	if err != nil {
		return folders{}, err
	}
	state, err := base("XDG_STATE_HOME", filepath.Join(".local", "state"))
	if err != nil {
		return folders{}, err
	}
	data, err := base("XDG_DATA_HOME", filepath.Join(".local", "share"))
	if err != nil {
		return folders{}, err
	}
	return folders{
		pins:        filepath.Join(data, "gba"),
		lastPlayed:  filepath.Join(state, "gba-last-played"),
		cache:       cache,
		cores:       filepath.Join(cache, "core"),
		checkpoints: override("CLANKIE_GBA_CHECKPOINT_DIR", filepath.Join(state, "gba-checkpoints")),
		runtime:     filepath.Join(state, "gba-runtime"),
		servers:     filepath.Join(state, "gba-mcp"),
		journals:    override("CLANKIE_GBA_PLAY_JOURNAL_DIR", filepath.Join(state, "gba-play")),
	}, nil
}

// base is clankie's own folder under the XDG variable, which only counts when
// it is absolute, or under the home folder.
func base(variable, underHome string) (string, error) {
	if dir := os.Getenv(variable); filepath.IsAbs(dir) {
		return filepath.Join(dir, "clankie"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", usage(fmt.Errorf("there is no home folder to keep things in (%w); set HOME, or both XDG_CACHE_HOME and XDG_STATE_HOME", err))
	}
	return filepath.Join(home, underHome, "clankie"), nil
}

func override(variable, fallback string) string {
	if dir := os.Getenv(variable); dir != "" {
		return dir
	}
	return fallback
}
