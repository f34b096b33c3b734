import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { usePaletteEntries } from '../../shell/palette/registry.ts'
import { useScope } from '../../shell/scope-context.ts'
import { useShortcut } from '../../ui/keyboard.tsx'
import { tabClass, tabListClass } from '../../ui/tabs.tsx'

const tabs = [
  { name: 'targeting', label: 'Targeting', to: '/p/$project/flags/$flag/targeting' },
  { name: 'impact', label: 'Impact', to: '/p/$project/flags/$flag/impact' },
  { name: 'history', label: 'History', to: '/p/$project/flags/$flag/history' },
  { name: 'usage', label: 'Usage', to: '/p/$project/flags/$flag/usage' },
  { name: 'settings', label: 'Settings', to: '/p/$project/flags/$flag/settings' },
] as const

type FlagTab = (typeof tabs)[number]['name']

export function useFlagTab(): FlagTab {
  const last = useLocation({ select: ({ pathname }) => pathname.replace(/\/$/, '').split('/').at(-1) })
  return tabs.find(({ name }) => name === last)?.name ?? 'targeting'
}

/** Each tab has a URL; `[` and `]` switch between them. */
export function FlagTabs({ flag }: { flag: string }) {
  const { project } = useScope()
  const navigate = useNavigate()
  const shown = useFlagTab()
  const current = tabs.findIndex(({ name }) => name === shown)
  const walk = (step: number) => {
    const next = tabs[(current + step + tabs.length) % tabs.length]
    if (next) void navigate({ to: next.to, params: { project, flag } })
  }
  useShortcut({ keys: '[', label: 'Previous tab', run: () => walk(-1) })
  useShortcut({ keys: ']', label: 'Next tab', run: () => walk(1) })
  usePaletteEntries(
    tabs.map(({ name, label, to }) => ({
      id: `tab ${name}`,
      group: 'Do',
      icon: 'flag',
      label: `${flag}: ${label}`,
      run: () => void navigate({ to, params: { project, flag } }),
    })),
  )

  return (
    <nav aria-label="Flag" className={`${tabListClass} border-b-0!`}>
      {tabs.map(({ name, label, to }) => (
        <Link
          key={name}
          to={to}
          params={{ project, flag }}
          activeOptions={{ includeSearch: false }}
          className={tabClass}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
