my @all;
push @all, "x" x (1 << 20) . scalar @all while 1;
