print while <STDIN>;
