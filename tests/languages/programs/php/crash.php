<?php
throw new Exception("on purpose");
