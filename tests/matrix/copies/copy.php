<?php
// copy.php BIG TEXT OUT - copies in each way that php has.
[, $big, $text, $out] = $argv;
copy($big, "$out/php-copy");
file_put_contents("$out/php-whole", file_get_contents($big));
$i = fopen($big, 'rb');
$o = fopen("$out/php-blocks", 'wb');
while (($block = fread($i, 10000)) !== '' && $block !== false)
	fwrite($o, $block);
fclose($o);
fseek($i, 12345);
stream_copy_to_stream($i, fopen("$out/php-stream", 'wb'), 20000001);
$o = fopen("$out/php-lines", 'w+');
foreach (new SplFileObject($text) as $n => $line)
	fwrite($o, "$n $line");
fseek($o, -3000, SEEK_END);
fwrite($o, 'in place');
fseek($o, 100);
echo fgets($o);
ftruncate($o, 5000001);
fclose($o);
file_put_contents("$out/php-lines", 'appended', FILE_APPEND | LOCK_EX);
