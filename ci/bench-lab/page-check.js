/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Put into a copy of the report by ci/bench-lab/page: looks at the page as it is drawn, and tells what is wrong with it. */
"use strict";
(() => {
	const found = [];
	const wrong = (what, text) => {
		const line = what + ": " + text.trim().slice(0, 40);
		if (found.length < 20 && !found.includes(line))
			found.push(line);
	};
	const channel = (c) => { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
	const parse = (color) => color.match(/[\d.]+/g).map(Number);
	const light = (rgb) => 0.2126 * channel(rgb[0]) + 0.7152 * channel(rgb[1]) + 0.0722 * channel(rgb[2]);
	const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);	/* WCAG 2.1, 1.4.3 */
	const behind = (element) => {
		for (let at = element; at; at = at.parentElement) {
			const rgb = parse(getComputedStyle(at).backgroundColor);
			if (rgb.length === 3 || rgb[3] === 1)
				return rgb;
		}
		return [255, 255, 255];
	};
	const width = document.documentElement.clientWidth;
	for (const details of document.querySelectorAll("details"))
		details.open = true;
	if (document.documentElement.scrollWidth > width)
		wrong("the page is wider than the screen", document.documentElement.scrollWidth + " px of " + width);
	let least = 1000, n = 0;
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		const range = document.createRange();
		range.selectNodeContents(node);
		const box = range.getBoundingClientRect(), parent = node.parentElement;
		if (!node.data.trim() || !box.width || parent.closest("script,style"))
			continue;
		const style = getComputedStyle(parent), size = parseFloat(style.fontSize), svg = parent.closest("svg");
		n++;
		least = Math.min(least, size);
		if (size < 14)
			wrong("smaller than 14 px", node.data);
		if (!parent.closest(".wide") && (box.left < -0.5 || box.right > width + 0.5))
			wrong("reaches out of the screen", node.data);
		const color = parse(svg ? style.fill : style.color);
		if (contrast(light(color), light(behind(parent))) < 4.5)
			wrong("contrast below 4.5", node.data);
		for (const node_box of svg ? svg.querySelectorAll(".node") : []) {
			const rect = node_box.getBoundingClientRect();
			const is_inside = box.left >= rect.left && box.right <= rect.right;
			if (box.left < rect.right && box.right > rect.left && !is_inside)
				wrong("cut by its box", node.data);
		}
	}
	/* Marks that carry meaning against what they are drawn on: 3 : 1 (WCAG 2.1, 1.4.11). */
	for (const bar of document.querySelectorAll("svg.bar rect:not(.track)")) {
		const track = bar.parentElement.querySelector(".track");
		if (contrast(light(parse(getComputedStyle(bar).fill)), light(parse(getComputedStyle(track).fill))) < 3)
			wrong("bar too faint", bar.getAttribute("class"));
	}
	if (n < 20)
		wrong("hardly any text is drawn", String(n));
	const result = "CHECKED " + width + " px, " + n + " texts, least " + least + " px|" + found.join("|");
	parent.postMessage(result, "*");
})();
