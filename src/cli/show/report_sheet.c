/* SPDX-License-Identifier: Apache-2.0 */
/* The style sheet of a report. The page's Content-Security-Policy allows only this style, by its
 * digest, and no script, whatever a record contains. The colours are in colours.def. When either
 * changes, tests/cli/test_report.py prints the new digest. */
#include "cli/show/report_sections.h"

static const char digest[] = "PbDpl+aJ4UtHerQKhJtHBVIHI/MB/m592tjvmqclVbY=";

/* clang-format off */
static const char *const rules[] = {
	":root{color-scheme:light dark;",
#define COLOUR(name, light, dark)                              "--" name ":" light ";"
#define CLASS(name, light, dark, light_area, dark_area)        COLOUR(name, light, dark) "--" name "-area:" light_area ";"
#include "cli/show/colours.def"
	"}\n",
#undef COLOUR
#undef CLASS
	"@media screen and (prefers-color-scheme:dark){:root{",
#define COLOUR(name, light, dark)                              "--" name ":" dark ";"
#define CLASS(name, light, dark, light_area, dark_area)        COLOUR(name, light, dark) "--" name "-area:" dark_area ";"
#include "cli/show/colours.def"
	"}}\n",
#undef COLOUR
#undef CLASS
#define COLOUR(name, light, dark)
#define CLASS(name, light, dark, light_area, dark_area)        "." name "{color:var(--" name ");fill:var(--" name "-area)}\n"
#include "cli/show/colours.def"
#undef COLOUR
#undef CLASS
	"*{box-sizing:border-box}\n",
	"html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-behavior:smooth}\n",
	"body{margin:0 auto;max-width:1120px;padding:36px 28px 72px;background:var(--page);color:var(--ink);",
	"font:15px/1.55 system-ui,\"Segoe UI\",\"DejaVu Sans\",sans-serif}\n",
	"h1{font-size:32px;line-height:1.2;font-weight:680;letter-spacing:-.015em;margin:4px 0 10px;text-wrap:balance}\n",
	"h2{font-size:20px;line-height:1.3;margin:52px 0 4px;letter-spacing:-.005em}\n",
	"h3{font-size:15px;margin:0}\n",
	"p{max-width:88ch;margin:6px 0 12px;text-wrap:pretty}\n",
	"a{color:var(--link);text-underline-offset:2px}\n",
	":focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:3px}\n",
	".soft{color:var(--soft)}.small{font-size:13px}\n",
	".kicker{font-size:13px;font-weight:650;letter-spacing:.04em;color:var(--soft);margin:0}\n",
	"code,.mono{font-family:ui-monospace,\"DejaVu Sans Mono\",monospace;font-size:.88em;overflow-wrap:anywhere}\n",
	".card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:18px 20px;margin:14px 0}\n",
	/* ---- summary */
	".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(165px,1fr));gap:12px;margin:22px 0 14px}\n",
	".tile{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 16px}\n",
	".tile b{display:block;font-size:20px;line-height:1.25;font-weight:650;font-variant-numeric:tabular-nums}\n",
	".tile span{color:var(--soft);font-size:13px}\n",
	".whole{display:block;width:100%;height:30px;border-radius:6px}\n",
	".key{display:flex;flex-wrap:wrap;gap:4px 20px;list-style:none;margin:12px 0 0;padding:0;font-size:13.5px}\n",
	".key li{display:inline-flex;align-items:center;gap:7px}.key b{font-weight:650;font-variant-numeric:tabular-nums}.key b,.key .soft{white-space:nowrap}\n",
	".key svg{flex:none;width:12px;height:12px;border-radius:3px}\n",
	".track{fill:var(--h0)}\n",
	".tag{display:inline-block;border:1px solid currentColor;border-radius:99px;padding:0 9px;font-size:11.5px;",
	"line-height:18px;font-weight:500;white-space:nowrap}\n",
	/* ---- tables */
	".scroll{overflow-x:auto}\n",
	"table{border-collapse:collapse;width:100%;font-size:14px}\n",
	"th{text-align:left;font-weight:600;color:var(--soft);font-size:12.5px;border-bottom:2px solid var(--line);padding:4px 10px 6px 0;",
	"white-space:nowrap}\n",
	"td,tbody th{border-bottom:1px solid var(--line);padding:6px 10px 6px 0;vertical-align:middle}\n",
	"tbody th{font-weight:400;font-size:14px;color:inherit;white-space:normal}\n",
	"tbody tr:last-child>*{border-bottom:0}\n",
	".n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n",
	"td.b{width:32%;min-width:96px;padding-right:0}\n",
	".bar{display:block;width:100%;height:12px;border-radius:3px}\n",
	".ranking code{overflow-wrap:normal}\n",
	".two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));gap:0 16px}\n",
	/* ---- findings */
	".finding header{scroll-margin-top:12px}.finding p~header{margin-top:22px}\n",
	".finding header{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 12px;margin-bottom:8px}\n",
	".finding h3 code{font-size:16px;font-weight:650}\n",
	".finding header p{margin:0 0 0 auto;font-variant-numeric:tabular-nums;color:var(--soft)}.finding header b{color:var(--ink);font-size:1.1em}\n",
	".finding .bar{height:6px;margin-bottom:12px}.finding>p:last-child{margin-bottom:0}\n",
	".examples{list-style:none;margin:12px 0 0;padding:0;border-top:1px solid var(--line)}\n",
	".examples li{padding:10px 0 0;break-inside:avoid}\n",
	".examples .uri{display:block;background:var(--page);border:1px solid var(--line);border-radius:7px;padding:7px 11px;font-size:13px;",
	"line-height:1.6}\n",
	".examples .under{display:flex;flex-wrap:wrap;gap:0 18px;margin:4px 2px 0;font-size:13px;color:var(--soft);max-width:none}\n",
	".examples .under code{color:var(--accept)}\n",
	"mark{background:var(--mark);color:inherit;font-weight:650;border-radius:2px;box-shadow:0 1.5px 0 var(--mark-line);padding:1px 0}\n",
	"mark:empty{padding:2px 2px;background:var(--mark-line)}\n",
	".cut{color:var(--soft)}\n",
	/* ---- plots */
	".plot{margin:0}.plot svg{display:block;width:100%;height:110px;overflow:visible}\n",
	".plot .name{display:flex;justify-content:space-between;gap:12px;margin:10px 0 5px;max-width:none;font-size:13px}\n",
	".plot .grid{stroke:var(--line);stroke-width:1;vector-effect:non-scaling-stroke;fill:none}\n",
	".plot .hit{fill:transparent}.plot g:hover .hit{fill:var(--h0)}\n",
	".ticks{display:flex;justify-content:space-between;gap:8px;margin-top:6px;font-size:12px;color:var(--soft);",
	"font-variant-numeric:tabular-nums}\n",
	".ticks.each span{flex:1 1 0;text-align:center;min-width:0;white-space:nowrap}\n",
	"details{margin-top:14px;font-size:14px}summary{cursor:pointer;color:var(--link);font-size:13.5px}details table{margin-top:8px}\n",
	"dl{display:grid;grid-template-columns:max-content 1fr;gap:6px 22px;margin:0}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}\n",
	"footer{margin-top:48px;border-top:1px solid var(--line);padding-top:14px;color:var(--soft);font-size:13px}\n",
	"@media(max-width:640px){body{padding:20px 14px 48px}h1{font-size:25px}h2{margin-top:40px}.card{padding:14px}",
	".tiles{grid-template-columns:1fr 1fr;gap:8px}.tile{padding:10px 12px}.tile b{font-size:21px}.plot svg{height:84px}",
	".ticks.each{font-size:10px;gap:1px}.ticks.each span:nth-child(even){visibility:hidden}.finding header p{margin-left:0}",
	"td.b{width:24%;min-width:56px}.wide{display:none}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:10px}.ticks .mid{display:none}}\n",
	"@media print{@page{margin:14mm 12mm}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}",
	":root{color-scheme:light}body,.card,.tile{background:none}.small,.soft,.tile span,.key,.ticks,.plot .name,.tag,.finding header,.examples .under,dl{font-size:10.5px!important}body{max-width:none;padding:0;font-size:11px}h1{font-size:22px}h2{font-size:15px;margin-top:22px;",
	"break-after:avoid}table{font-size:10.5px}tbody th,td{font-size:10.5px;padding:3px 8px 3px 0}tr,.tile,.plot{break-inside:avoid}",
	".card{padding:10px 12px;margin:8px 0;border-radius:6px}.finding header{break-after:avoid}.tile b{font-size:18px}",
	".tiles{grid-template-columns:repeat(3,1fr)}details{display:none}.scroll{overflow:visible}.examples .uri{font-size:10.5px}a{color:inherit}}\n",
};
/* clang-format on */

void report_sheet_write(struct output *out)
{
	output_string(out,
		      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		      "style-src 'sha256-");
	output_string(out, digest);
	output_string(out, "'; base-uri 'none'; form-action 'none'\"/>\n<style>");
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
		output_string(out, rules[i]);
	output_string(out, "</style>\n");
}
