// Package sharedtest finds the material that tests share but the project does
// not contain: savestates made by other people with retail cartridges, and
// what an independent decoder reads from them. Only tests use it.
package sharedtest
