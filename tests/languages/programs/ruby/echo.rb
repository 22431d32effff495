print STDIN.read
