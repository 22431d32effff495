if ( {
