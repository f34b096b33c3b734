/** Words and phrases that the field does not use, and what to write instead. CONTRIBUTING.md has the rules. */
export interface Banned {
  pattern: RegExp
  write: string
}

export const banned: Banned[] = [
  { pattern: /\bnobody\b/i, write: 'no one, no user, no member, "not … by anyone"' },
  { pattern: /\bsomebody('s)?\b/i, write: 'a user, a member, someone' },
  { pattern: /\beverybody('s)?\b/i, write: 'everyone, all users' },
  { pattern: /\bwho(m)?(so)?ever\b/i, write: 'the user who, anyone who' },
  { pattern: /\bwhom\b/i, write: 'who' },
  { pattern: /\bpeople\b/i, write: 'users (of the site), members (of a project)' },
  {
    pattern: /\bstand(s|ing)?\b(?! (for|alone|error))|\bstood\b/i,
    write: 'is, appears, is shown, is listed',
  },
  { pattern: /\b(tells?|told|telling)\b/i, write: 'notify, report, show, say which' },
  {
    pattern: /(?<!there )\b(is|are|was|were|be) (no|none)\b(?! longer| more| such)/i,
    write: 'is not a …, there is no …',
  },
  { pattern: /\bnone of (ours|yours|theirs)\b/i, write: 'not one of …' },
  { pattern: /\bliv(es?|ed) through\b/i, write: 'experienced' },
  {
    pattern: /\b(tak(e|es|en|ing)|took) back\b|\btakes? (it|them|that) back\b/i,
    write: 'roll back, revert, undo',
  },
  { pattern: /\bgo(es|ne)?( \w+)? back\b(?! to\b)/i, write: 'roll back, return' },
  { pattern: /\b(by|of) (it|them)sel(f|ves)\b/i, write: 'automatically, or leave it out' },
  { pattern: /\banew\b/i, write: 'again, from the start' },
  {
    pattern:
      /\b(draws?|drawn|drew) (its|a|the|their|by|at|anew|again|once|afresh)?\b(?= ?(lot|chance|people|share|anew|afresh))/i,
    write: 'assign, sample at random',
  },
  { pattern: /\blots?\b(?! of)/i, write: 'bucket, sample position' },
  { pattern: /\bfitting\b/i, write: 'auto, suitable' },
  { pattern: /\b(mend|mends|mended|mending)\b/i, write: 'fix' },
  { pattern: /\bfares?\b|\bfared\b/i, write: 'do, perform, how users are affected' },
  { pattern: /\bas ever\b/i, write: 'as usual' },
  { pattern: /\bever (more|again|anew|so)\b/i, write: 'more and more, again' },
  { pattern: /\bhand(s|ed|ing)? (in|out|over|it in|them in)\b/i, write: 'upload, send, serve, export' },
  {
    pattern: /\bheard (of|from)\b|\bhears? (of|from)\b|\bis heard\b/i,
    write: 'receives, learns about, reported',
  },
  { pattern: /\btroubles?\b(?!shoot)/i, write: 'issue, problem, error' },
  { pattern: /\btwins?\b/i, write: 'similar session' },
  { pattern: /\bcanary\b/i, write: 'A/A test' },
  { pattern: /\blooks? after\b|\blooked after\b/i, write: 'assigned to, owns' },
  { pattern: /\bstands? out\b/i, write: 'contributes, differs' },
  { pattern: /\bput right\b/i, write: 'fixed' },
  { pattern: /\bas long before\b/i, write: 'previous period' },
  { pattern: /\bin anger\b/i, write: 'rage click' },
  {
    pattern: /\bput to (sleep|death)\b|\blet go\b|\blets? (it|them) (go|on|off)\b/i,
    write: 'release, remove',
  },
  {
    pattern:
      /\bbefalls?\b|\bbefell\b|\bhithert?o\b|\bwherein\b|\bwhereby\b|\bthereby\b|\bhereby\b|\bthereof\b/i,
    write: 'plain words',
  },
  { pattern: /\bbeneath\b|\bupon\b/i, write: 'below, under, on' },
  { pattern: /\bso many\b|\bas many as\b(?= it| they)/i, write: 'the number, for at least' },
  {
    pattern: /\bmet (by|it|them|with|under|the|an|a)\b|\bmeets? (it|them|no|an? (error|issue))\b/i,
    write: 'affects, has, ran into',
  },
  { pattern: /\bnews of\b|\bnews did\b|\bis news\b/i, write: 'notifications' },
  {
    pattern: /\bof (our|your|their|its|one's) own\b(?=[.,;:)]|$| (in|for|and|that|by|over|is|are)\b)/i,
    write: 'custom, your own …, its own …',
  },
  { pattern: /\b(does|do|did) without\b/i, write: 'disable, turn off' },
  { pattern: /\bcomes? to nothing\b|\bfor nothing\b|\bis for nought\b/i, write: 'fails' },
  {
    pattern: /\bnot? a single\b.*\bknows?\b|\bknows (no|nothing|of)\b|\bknow (no|nothing|of)\b/i,
    write: 'there is no, does not have',
  },
  { pattern: /\btoo (few|little) to be\b/i, write: 'too few to …' },
  { pattern: /\bis to be\b|\bare to be\b|\bhas to give\b/i, write: 'must be, will be' },
  { pattern: /\bas (it|they) (is|are|was|were)\b(?=[.,;:)]|$)/i, write: 'unchanged' },
  { pattern: /\b(a|the|this|that|each|every) letter\b(?! (or|and|of))/i, write: 'e-mail' },
  { pattern: /\bwho they (are|were)\b|\bwho it (was|is)\b|\bwho asks\b/i, write: 'the user, the caller' },
  { pattern: /\b(a|the|one|no|this|that|each|every) thing\b/i, write: 'the concrete noun' },
  { pattern: /\bquestions?\b/i, write: 'query' },
  { pattern: /\ba few of\b(?= them)|\bsome of them\b/i, write: 'examples' },
]
