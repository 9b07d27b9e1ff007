/* The constants that mGBA's own build generates. Fixed, so that the module
 * depends on nothing but its source. */
#include <mgba/core/version.h>

MGBA_EXPORT const char* const gitCommit = "";
MGBA_EXPORT const char* const gitCommitShort = "";
MGBA_EXPORT const char* const gitBranch = "";
MGBA_EXPORT const int gitRevision = 0;
MGBA_EXPORT const char* const binaryName = "mgba";
MGBA_EXPORT const char* const projectName = "mGBA";
MGBA_EXPORT const char* const projectVersion = "0.10.5";
