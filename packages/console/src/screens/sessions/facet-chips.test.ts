import { parseFilter, printFilter } from '@telltale/core/query/filter'
import { expect, test } from 'vitest'
import { type SessionFacetName, tick, tickedOf } from './facet-chips.ts'

function ticked(text: string, facet: SessionFacetName, value: string): string {
  const parsed = parseFilter(text)
  if (!parsed.ok) throw new Error(text)
  return printFilter(tick(parsed.result, facet, value))
}

test.each<[before: string, ticked: [facet: SessionFacetName, value: string], after: string]>([
  ['', ['device', 'mobile'], 'device:mobile'],
  ['device:mobile', ['device', 'tablet'], 'device:mobile,tablet'],
  ['device:mobile,tablet', ['device', 'mobile'], 'device:tablet'],
  ['device:mobile', ['device', 'mobile'], ''],
  ['device:~mob', ['device', 'mobile'], 'device:~mob device:mobile'],
  ['', ['flag', 'checkout=new'], 'flag:checkout=new'],
  ['flag:checkout=new', ['flag', 'checkout=old'], 'flag:checkout=new,old'],
  ['flag:checkout=new', ['flag', 'banner=off'], 'flag:checkout=new flag:banner=off'],
  ['', ['errors', 'some'], 'errors:>0'],
  ['errors:>0', ['errors', 'none'], ''],
  ['errors:>3', ['errors', 'none'], 'errors:>3 errors:0'],
  ['', ['replay', 'true'], 'replay:true'],
  ['kept:true', ['kept', 'false'], ''],
  ['profile:false', ['profile', 'false'], ''],
  ['', ['lcp', 'good'], 'lcp:<=2500'],
  ['', ['lcp', 'needs-improvement'], 'lcp:>2500 lcp:<=4000'],
  ['lcp:>2500 lcp:<=4000', ['lcp', 'poor'], 'lcp:>2500'],
  ['lcp:>2500', ['lcp', 'needs-improvement'], 'lcp:>4000'],
  ['lcp:>4000', ['lcp', 'good'], 'lcp:<=2500'],
  ['lcp:>2500', ['lcp', 'good'], 'lcp:*'],
  ['lcp:>3000', ['lcp', 'poor'], 'lcp:>3000 lcp:>4000'],
])('"%s" with %j ticked is "%s"', (before, [facet, value], after) => {
  expect(ticked(before, facet, value)).toBe(after)
})

test('checked values are read from the filter', () => {
  const parsed = parseFilter('inp:>200 -device:mobile flag:a=x,y flag:b=z errors:0 browser:~saf')
  if (!parsed.ok) throw new Error('the filter is wrong')
  const of = (facet: SessionFacetName) => tickedOf(parsed.result, facet)
  expect(of('inp')).toEqual(['needs-improvement', 'poor'])
  expect(of('device')).toEqual([])
  expect(of('flag')).toEqual(['a=x', 'a=y', 'b=z'])
  expect(of('errors')).toEqual(['none'])
  expect(of('browser')).toEqual([])
})
