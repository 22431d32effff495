<?php
$all = [];
while (true) $all[] = str_repeat("x", 1 << 20);
