/* Stands in for libinih, which mGBA's configuration files need and this
 * build never reads: both parse functions fail. */
#ifndef INI_H
#define INI_H

#include <stdio.h>

typedef int (*ini_handler)(void* user, const char* section, const char* name, const char* value);
typedef char* (*ini_reader)(char* str, int num, void* stream);

static inline int ini_parse(const char* filename, ini_handler handler, void* user) {
	(void) filename;
	(void) handler;
	(void) user;
	return -1;
}

static inline int ini_parse_stream(ini_reader reader, void* stream, ini_handler handler, void* user) {
	(void) reader;
	(void) stream;
	(void) handler;
	(void) user;
	return -1;
}

#endif
