// stream.cc - a C++ program copies by iostreams, whole and line by line, seeks and appends.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

static void copy_whole(const char *from, const char *to)
{
	std::ifstream in(from, std::ios::binary);
	std::ofstream out(to, std::ios::binary);

	out << in.rdbuf();
}

static void copy_lines(const char *from, const char *to)
{
	std::ifstream in(from, std::ios::binary);
	std::ofstream out(to, std::ios::binary);
	std::string line;

	while (std::getline(in, line)) {
		out << line;
		if (!in.eof())
			out << '\n';
	}
}

static void copy_blocks(const char *from, const char *to)
{
	std::ifstream in(from, std::ios::binary);
	std::fstream out(to, std::ios::binary | std::ios::in | std::ios::out | std::ios::trunc);
	std::vector<char> block(1 << 20);

	while (in.read(block.data(), block.size()) || in.gcount())
		out.write(block.data(), in.gcount());
	out.seekg(12345);
	out.read(block.data(), 1000);
	out.seekp(12345);
	out.write(block.data(), 1000);
}

int main()
{
	copy_whole("src", "dst.whole");
	copy_lines("src", "dst.lines");
	copy_blocks("src", "dst.blocks");
	std::ifstream in("dst.blocks", std::ios::binary | std::ios::ate);
	std::cout << in.tellg() << std::endl;
	return in.good() ? 0 : 1;
}
