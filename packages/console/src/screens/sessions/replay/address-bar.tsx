import { useMemo, useState } from 'react'
import { Select } from '../../../ui/form/select.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { Moment } from '../timeline/moments.ts'
import { type Playhead, usePlaceIn } from '../timeline/playhead-place.ts'
import type { Player } from './player.ts'
import { maskLegends, privacyTexts } from './replay-words.ts'
import { usePlayerState } from './use-player.ts'

type AddressBarProps = {
  player: Player
  playhead: Playhead
  moments: readonly Moment[]
}

/** URL, window size and hidden content at the playhead. */
export function AddressBar({ player, playhead, moments }: AddressBarProps) {
  const tab = usePlayerState(player, (state) => state.tab)
  const tabs = usePlayerState(player, (state) => state.tabs)
  const page = usePlayerState(player, (state) => state.page)
  const privacy = usePlayerState(player, (state) => state.privacy)
  const views = useMemo(() => {
    const opened = moments.filter(({ kind }) => kind === 'page')
    const inTab = opened.filter(({ event }) => event.tab === tab)
    return inTab.length > 0 ? inTab : opened
  }, [moments, tab])
  const pages = useMemo(() => new Map(moments.flatMap(toPage)), [moments])
  const view = views[Math.max(0, usePlaceIn(views, playhead))]
  const address = view?.event.url || view?.event.page || 'address not recorded'

  return (
    <div className="flex min-h-32 flex-wrap items-center gap-x-12 gap-y-4 border-line border-b px-12 py-4 text-12 text-text-2">
      <span className="flex min-w-0 flex-1 basis-[180px] items-center gap-8">
        {address.startsWith('https:') && <Icon name="lock" />}
        <code className="truncate" title={address}>
          {address.replace(/^https?:\/\//, '')}
        </code>
      </span>
      {tabs.length > 1 && <TabSelect player={player} tab={tab} tabs={tabs} pages={pages} />}
      {page && (
        <span className="whitespace-nowrap text-text-3">
          {page.width} × {page.height}
        </span>
      )}
      {privacy && (
        <span className="inline-flex items-center gap-6" title={privacyTexts[privacy.level]}>
          {privacy.level !== 'allow' && <MaskSample />}
          {maskLegends[privacy.level]}
        </span>
      )}
    </div>
  )
}

/** The appearance of masked text in the picture: the same in both themes, like the page itself. */
function MaskSample() {
  return (
    <span
      aria-hidden="true"
      className="h-10 w-18 shrink-0 rounded-chip [background:repeating-linear-gradient(135deg,#d9d7d0_0_3px,#c6c3ba_3px_6px)]"
    />
  )
}

const follows = 'in use'

type TabSelectProps = {
  player: Player
  tab: string
  tabs: readonly string[]
  pages: ReadonlyMap<string, string>
}

/** Other clients report no tabs: each recorded page is separate. */
function TabSelect({ player, tab, tabs, pages }: TabSelectProps) {
  const [chosen, setChosen] = useState(follows)
  const isOfPages = tabs.some((id) => pages.has(id))
  const what = isOfPages ? 'Page' : 'Tab'
  const nameOf = (id: string, index: number) =>
    isOfPages ? `${index + 1}: ${pages.get(id) ?? 'another page'}` : `Tab ${index + 1}`
  return (
    <Select
      label={isOfPages ? 'Page of the recording' : 'Tab of the browser'}
      hideLabel
      value={chosen}
      options={[
        { value: follows, label: `${what} in use (${tabs.indexOf(tab) + 1} of ${tabs.length})` },
        ...tabs.map((id, index) => ({ value: id, label: nameOf(id, index) })),
      ]}
      onValue={(next) => {
        setChosen(next)
        player.showTab(next === follows ? undefined : next)
      }}
    />
  )
}

function toPage({ kind, event }: Moment): [string, string][] {
  return kind === 'page' && event.view ? [[event.view, event.page || event.url || 'a page']] : []
}
