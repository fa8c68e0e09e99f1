# shellcheck shell=sh
# dd: odd sizes and offsets, a part of a page written in place, its own O_DIRECT, dup2 onto 0 and 1.
packages coreutils

prepare() { big in/big; }

# mask_* takes the times away that dd tells.
mask_rates() { sed 's/ copied, .*/ copied/'; }

before_notrunc() { cp in/big out/big; }
run_notrunc() { dd if=in/big of=out/big bs=1000 skip=3 seek=7 count=40000 conv=notrunc,sparse; }
mask_notrunc() { mask_rates; }

run_sparse() { dd if=in/big of=out/big bs=64k skip=1 seek=5 conv=sparse,fsync; }
mask_sparse() { mask_rates; }

run_direct_in() { dd if=in/big of=out/big bs=64k iflag=direct; }
mask_direct_in() { mask_rates; }

run_direct_out() { dd if=in/big of=out/big bs=1M oflag=direct; }
mask_direct_out() { mask_rates; }

run_bs512() { dd if=in/big of=out/big bs=512 count=60000; }
mask_bs512() { mask_rates; }

run_swab() { dd bs=4096 ibs=1023 obs=3000 conv=swab <in/big >out/big; }
mask_swab() { mask_rates; }

run_bytes() { dd if=in/big of=out/big bs=1M iflag=skip_bytes,count_bytes oflag=seek_bytes skip=12345 count=33333333 seek=777; }
mask_bytes() { mask_rates; }

before_append() { printf 'not a whole block' >out/big; }
run_append() { dd if=in/big of=out/big bs=100000 oflag=append conv=notrunc; }
mask_append() { mask_rates; }
