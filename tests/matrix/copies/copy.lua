-- copy.lua BIG TEXT OUT - copies in each way that lua has.
local big, text, out = arg[1], arg[2], arg[3]
local i, o = assert(io.open(big, "rb")), assert(io.open(out .. "/lua-whole", "wb"))
o:write(i:read("a"))
o:close()
i:seek("set", 12345)
o = assert(io.open(out .. "/lua-blocks", "wb"))
o:setvbuf("no")
for block in function() return i:read(100003) end do
	o:write(block)
end
o:close()
o = assert(io.open(out .. "/lua-lines", "w+"))
for line in io.lines(text, "L") do
	o:write(#line, " ", line)
end
o:seek("end", -3000)
o:write("in place")
o:seek("set", 100)
print(o:read("l"))
o:close()
