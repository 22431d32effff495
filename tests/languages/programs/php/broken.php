<?php
function ( {
