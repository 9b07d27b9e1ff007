// Package mgbatest hands the built core to tests of other packages. It is
// test infrastructure: nothing but tests imports it.
package mgbatest
