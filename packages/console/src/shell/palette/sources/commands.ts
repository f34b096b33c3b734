import { useNavigate, useParams } from '@tanstack/react-router'
import type { IconName } from '../../../ui/icon.tsx'
import { useMay } from '../../account.ts'
import { leave } from '../../account-menu.tsx'
import { switchTheme } from '../../theme.ts'
import type { PaletteEntry } from '../entry.ts'

/**
 * What can be done from anywhere. A screen that offers the same command itself uses the same id, and its entry is
 * shown instead.
 */
export function useCommands(): readonly PaletteEntry[] {
  return [...useProjectCommands(), ...useInstallationCommands(), ...everywhere]
}

function useProjectCommands(): readonly PaletteEntry[] {
  const { project } = useParams({ strict: false })
  const mayChangeFlags = useMay('flags.change')
  const mayChangeAlerts = useMay('alerts.change')
  const mayInvite = useMay('members.manage')
  const navigate = useNavigate()
  if (project === undefined) return []
  const params = { project }
  const search = { new: true } as const

  return [
    ...commands(mayChangeFlags, [
      ['New flag', () => void navigate({ to: '/p/$project/flags', params, search })],
      ['New segment', () => void navigate({ to: '/p/$project/segments', params, search })],
      ['New guarded rollout', () => void navigate({ to: '/p/$project/rollouts', params, search })],
    ]),
    ...commands(mayChangeAlerts, [
      ['New alert', () => void navigate({ to: '/p/$project/alerts/new', params, search: {} })],
    ]),
    ...commands(
      mayInvite,
      [['Invite member', () => void navigate({ to: '/p/$project/settings/members', params, search })]],
      'mail',
    ),
  ]
}

function useInstallationCommands(): readonly PaletteEntry[] {
  const mayCreate = useMay('projects.create')
  const navigate = useNavigate()
  return commands(mayCreate, [['New project', () => void navigate({ to: '/', search: { new: true } })]])
}

/** `New flag` has the id `new-flag`, as on its screen. */
function commands(
  may: boolean,
  listed: readonly (readonly [label: string, run: () => void])[],
  icon: IconName = 'plus',
): readonly PaletteEntry[] {
  if (!may) return []
  return listed.map(([label, run]) => ({
    id: label.toLowerCase().replaceAll(' ', '-'),
    group: 'Do',
    icon,
    label: `${label}…`,
    run,
  }))
}

const everywhere: readonly PaletteEntry[] = [
  {
    id: 'docs',
    group: 'Do',
    icon: 'info',
    label: 'Open documentation',
    run: () => {
      globalThis.open('/docs/', '_blank', 'noopener')
    },
  },
  { id: 'theme', group: 'Do', icon: 'theme', label: 'Switch theme', shortcut: 't', run: switchTheme },
  { id: 'sign-out', group: 'Do', icon: 'out', label: 'Sign out', run: () => void leave() },
]
