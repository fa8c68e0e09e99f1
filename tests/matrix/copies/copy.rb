# copy.rb BIG TEXT OUT - copies in each way that ruby has.
require 'fileutils'
big, text, out = ARGV
FileUtils.cp(big, "#{out}/rb-cp")
FileUtils.cp(big, "#{out}/rb-preserved", preserve: true)
IO.copy_stream(big, "#{out}/rb-stream")
IO.copy_stream(big, "#{out}/rb-part", 20_000_001, 12_345)
File.open(big, 'rb') do |i|
  File.open("#{out}/rb-sys", 'wb') do |o|
    begin
      loop { o.syswrite(i.sysread(77_777)) }
    rescue EOFError
      nil
    end
  end
end
File.binwrite("#{out}/rb-whole", File.binread(big))
File.open(text) do |i|
  File.open("#{out}/rb-lines", 'w') { |o| i.each_line { |l| o.puts(l.reverse) } }
end
File.open("#{out}/rb-lines", 'r+') do |f|
  f.seek(-5000, IO::SEEK_END)
  f.write('in place')
  f.seek(100)
  puts f.gets
  f.pwrite('positional', 4090)
end
IO.popen(['cat', text]) { |p| IO.copy_stream(p, "#{out}/rb-pipe") }
