// Screens of the navigation, sections of settings, account and installation, and projects.

import { useNavigate, useParams } from '@tanstack/react-router'
import { createElement } from 'react'
import { useAccount } from '../../account.ts'
import { InboxCount } from '../../inbox-count.tsx'
import { useNavigation } from '../../navigation.ts'
import { useSections } from '../../sections.ts'
import type { PaletteEntry } from '../entry.ts'

export function useDestinations(): readonly PaletteEntry[] {
  return [...useScreenEntries(), ...useSectionEntries(), ...useChangeEntries(), ...useCompareEntry()]
}

function useScreenEntries(): readonly PaletteEntry[] {
  const { project } = useParams({ strict: false })
  const targets = useNavigation()
  const navigate = useNavigate()
  if (project === undefined) return []

  return targets.map((target) => ({
    id: `go ${target.to}`,
    group: 'Go to',
    icon: target.icon,
    label: target.label,
    ...(target.key ? { shortcut: `g ${target.key}` } : {}),
    ...(target.count ? { picture: createElement(InboxCount, { project }) } : {}),
    run: () => void navigate({ to: target.to, params: { project } }),
  }))
}

const sectionKinds = {
  settings: { name: 'Settings', icon: 'settings' },
  account: { name: 'Account', icon: 'identity' },
  admin: { name: 'Installation', icon: 'settings' },
} as const

function useSectionEntries(): readonly PaletteEntry[] {
  const { project } = useParams({ strict: false })
  const { user } = useAccount()
  const sections = useSections()
  const navigate = useNavigate()

  return sections
    .filter(({ of }) => (of === 'settings' ? project !== undefined : of !== 'admin' || user.role === 'owner'))
    .map(({ of, label, to }) => ({
      id: `go ${to}`,
      group: 'Go to',
      icon: sectionKinds[of].icon,
      label: `${sectionKinds[of].name}: ${label}`,
      run: () => void navigate({ to, params: { project: project ?? '' } }),
    }))
}

/** They are not in the navigation: flags link to them. */
function useChangeEntries(): readonly PaletteEntry[] {
  const { project } = useParams({ strict: false })
  const navigate = useNavigate()
  if (project === undefined) return []
  const targets = [
    { label: 'Change requests', to: '/p/$project/change-requests' },
    { label: 'Scheduled changes', to: '/p/$project/scheduled-changes' },
  ] as const
  return targets.map(({ label, to }) => ({
    id: `go ${to}`,
    group: 'Go to',
    icon: 'flag',
    label,
    run: () => void navigate({ to, params: { project }, search: {} }),
  }))
}

/** Of the two newest versions, until others are chosen. */
function useCompareEntry(): readonly PaletteEntry[] {
  const { project } = useParams({ strict: false })
  const navigate = useNavigate()
  if (project === undefined) return []
  return [
    {
      id: 'compare-releases',
      group: 'Go to',
      icon: 'release',
      label: 'Compare releases',
      run: () => void navigate({ to: '/p/$project/releases/compare', params: { project }, search: {} }),
    },
  ]
}

export function useProjectEntries(): readonly PaletteEntry[] {
  const { projects } = useAccount()
  const navigate = useNavigate()
  return [
    ...projects.map(({ key, name }) => ({
      id: `project ${key}`,
      group: 'Projects',
      icon: 'project' as const,
      label: key,
      note: name,
      isKey: true,
      run: () => void navigate({ to: '/p/$project', params: { project: key }, search: {} }),
    })),
    {
      id: 'projects',
      group: 'Projects',
      icon: 'project',
      label: 'All projects',
      run: () => void navigate({ to: '/' }),
    },
  ]
}
