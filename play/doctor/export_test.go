package doctor

// For tests: looks at stores that read a little only.
var (
	SavesUpTo    = savesUpTo
	JournalsUpTo = journalsUpTo
)
