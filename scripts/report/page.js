// Sorts a table by the column whose heading is pressed. Without this the page says the same.
// No less-than sign and no ampersand: the page is well-formed XML too.
"use strict";
document.querySelectorAll("table.sortable").forEach(function (table) {
	const heads = Array.from(table.tHead.rows[0].cells);

	function value(row, column) {
		const cell = row.cells[column], number = cell.getAttribute("data-v");
		return number === null ? cell.textContent : Number(number);
	}

	function sort(column) {
		const head = heads[column], text = head.classList.contains("word"), was = head.getAttribute("aria-sort");
		const up = was ? was === "descending" : text;
		const rows = Array.from(table.tBodies[0].rows);

		rows.sort(function (a, b) {
			const x = value(a, column), y = value(b, column);
			const order = text ? x.localeCompare(y) : x - y;
			return up ? order : -order;
		});
		heads.forEach(function (other) { other.removeAttribute("aria-sort"); });
		head.setAttribute("aria-sort", up ? "ascending" : "descending");
		rows.forEach(function (row) { table.tBodies[0].appendChild(row); });
	}

	heads.forEach(function (head, column) {
		const button = document.createElement("button");

		button.type = "button";
		button.textContent = head.textContent;
		button.addEventListener("click", function () { sort(column); });
		head.replaceChildren(button);
	});
});
