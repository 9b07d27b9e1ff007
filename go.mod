module clankie

go 1.26
