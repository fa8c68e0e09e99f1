# copy.pl BIG TEXT OUT - copies in each way that perl has.
use strict;
use warnings;
use File::Copy qw(copy move);
my ($big, $text, $out) = @ARGV;

copy($big, "$out/pl-copy") or die "copy: $!";
copy($text, "$out/pl-before") or die "copy: $!";
move("$out/pl-before", "$out/pl-moved") or die "move: $!";

open(my $i, '<:raw', $big) or die "$big: $!";
open(my $o, '>:raw', "$out/pl-sys") or die "pl-sys: $!";
while (my $n = sysread($i, my $block, 100003)) {
	syswrite($o, $block) == $n or die "syswrite: $!";
}
close($o) or die "close: $!";
seek($i, 5, 0);
open($o, '>:raw', "$out/pl-read") or die "pl-read: $!";
print $o $_ while read($i, $_, 65536);
close($o) or die "close: $!";

open($i, '<', $text) or die "$text: $!";
open($o, '>', "$out/pl-lines") or die "pl-lines: $!";
while (<$i>) {
	print $o tell($i), ' ', $_;
}
close($o) or die "close: $!";
open($o, '+<', "$out/pl-lines") or die "pl-lines: $!";
seek($o, -3000, 2);
print $o 'in place';
seek($o, 1000, 0);
my $line = <$o>;
print $line;
close($o) or die "close: $!";

open(my $saved, '>&', \*STDOUT) or die "dup: $!";
open(STDOUT, '>', "$out/pl-stdout") or die "pl-stdout: $!";
$| = 1;
system('cat', $text) == 0 or die "cat: $?";
print "end\n";
open(STDOUT, '>&', $saved) or die "dup: $!";
my $pid = open(my $pipe, '-|', 'head', '-c', '3000000', $big) or die "head: $!";
open($o, '>>', "$out/pl-pipe") or die "pl-pipe: $!";
print $o $_ while read($pipe, $_, 777);
close($pipe);
