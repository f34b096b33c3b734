// Light and dark as the browser prefers.

export const style = `
:host{all:initial;--bg:#fff;--raised:#f4f5f7;--line:#d5d9df;--text:#1a1f27;--dim:#5b6472;--accent:#0b5fd0;--on-accent:#fff;--warn:#8a5200;--warn-bg:#fff3dc;--good:#12703c;--bad:#b3261e;color-scheme:light}
@media (prefers-color-scheme:dark){:host{--bg:#171a20;--raised:#21252d;--line:#3a404b;--text:#e8ebf0;--dim:#a3acba;--accent:#7fb2ff;--on-accent:#0d1520;--warn:#ffc46b;--warn-bg:#3a2d12;--good:#6fd19a;--bad:#ff9b92;color-scheme:dark}}
*{box-sizing:border-box;margin:0;padding:0;font:inherit;color:inherit}
[hidden]{display:none!important}
.window,.pill{position:fixed;z-index:2147483647;right:16px;bottom:16px;background:var(--bg);color:var(--text);border:1px solid var(--line);box-shadow:0 6px 28px #0004;font:13px/1.45 system-ui,sans-serif}
.window{width:440px;max-width:calc(100vw - 32px);height:min(540px,calc(100vh - 32px));border-radius:10px;display:flex;flex-direction:column;overflow:hidden}
.pill{border-radius:99px;padding:8px 14px;cursor:pointer;font-weight:600}
header{display:flex;align-items:center;gap:8px;padding:8px 8px 8px 14px;border-bottom:1px solid var(--line)}
strong,b{font-weight:650}
header .env{color:var(--dim);flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.count{color:var(--warn);font-weight:600;white-space:nowrap}
[role=tablist]{display:flex;border-bottom:1px solid var(--line);padding:0 8px;overflow-x:auto;flex:none}
[role=tab]{border:0;background:none;padding:9px 10px 7px;border-bottom:2px solid transparent;border-radius:0;color:var(--dim);cursor:pointer;min-height:0}
[role=tab][aria-selected=true]{color:var(--text);border-color:var(--accent);font-weight:600}
.panel{flex:1;min-height:0;overflow:auto;padding:12px 14px}
.panel>*{display:grid;gap:10px;align-content:start}
button,a.primary{border:1px solid var(--line);background:var(--raised);border-radius:6px;padding:3px 9px;min-height:26px;cursor:pointer;text-decoration:none;white-space:nowrap}
a.primary{display:inline-flex;align-items:center}
button.quiet{border-color:transparent;background:none;color:var(--dim)}
.primary{background:var(--accent)!important;border-color:var(--accent)!important;color:var(--on-accent);justify-self:start;font-weight:600}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
input:not([type=checkbox]),textarea{width:100%;background:var(--bg);border:1px solid var(--line);border-radius:6px;padding:5px 8px;min-width:0}
textarea{min-height:72px;resize:vertical}
code,pre,time{font:12px/1.45 ui-monospace,monospace}
ul{list-style:none}
.rows>li{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,auto);gap:2px 10px;padding:7px 0;border-top:1px solid var(--line)}
.rows>li:first-child{border:0}
.key{font-weight:600;overflow-wrap:anywhere}
.value{max-width:180px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;text-align:right}
.reason,.note{color:var(--dim);overflow-wrap:anywhere}
.buttons{display:flex;gap:6px;justify-content:end;flex-wrap:wrap}
p.buttons{justify-content:start}
.forced .value,.forced .reason{color:var(--warn)}
.edit{grid-column:1/-1;display:grid;grid-template-columns:1fr auto auto;gap:6px;align-items:start;padding-top:4px}
.edit .fault{grid-column:1/-1}
.fault{color:var(--bad)}
.events{height:100%;overflow:auto;max-height:400px}
.events>li{display:block;padding:3px 0}
summary{cursor:pointer;display:flex;gap:8px;min-width:0}
summary time{color:var(--dim)}
summary .text{flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
pre{overflow:auto;background:var(--raised);border-radius:6px;padding:8px;max-height:220px}
table{border-collapse:collapse;width:100%;table-layout:fixed}
caption{text-align:left;color:var(--dim);padding-bottom:6px;overflow-wrap:anywhere}
th,td{text-align:left;padding:6px 0;border-top:1px solid var(--line)}
th{font-weight:600}
td{font-variant-numeric:tabular-nums}
.good{color:var(--good)}.needs{color:var(--warn)}.poor{color:var(--bad)}
.id{overflow-wrap:anywhere;user-select:all}
.legend li{padding:2px 8px;border-left:3px solid;margin-bottom:4px}
.outlines{position:fixed;inset:0;pointer-events:none;z-index:2147483646;overflow:hidden}
.outlines div{position:absolute;border:2px solid;border-radius:2px}
.masked{border-color:#c77700!important}.blocked{border-color:#b3261e!important}.ignored{border-color:#7a3fd0!important}
.outlines .masked{background:#c7770022}.outlines .blocked{background:#b3261e33}.outlines .ignored{background:#7a3fd022}
@media (max-width:480px){.window{right:0;bottom:0;left:0;width:100%;max-width:none;height:62vh;border-radius:12px 12px 0 0;border-width:1px 0 0}[role=tab]{padding:11px 9px 9px}button,a.primary{min-height:32px}}
@media print{.window,.pill,.outlines{display:none}}
`
