function ( { return 1
