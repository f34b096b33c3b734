import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Environment } from '../../../api/environments.ts'
import { type Storage, storageQuery } from '../../../api/retention.ts'
import { useMay } from '../../../shell/account.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async } from '../../../ui/states.tsx'
import { bytesText, countOf } from '../../../ui/text/measure-text.ts'
import { BudgetDialog } from './budget-dialog.tsx'
import { dayText, kindWords } from './kind-words.ts'

export function StoragePanel({ project, environment }: { project: string; environment: Environment }) {
  const storage = useQuery(storageQuery(project))
  const mayManage = useMay('privacy.manage')
  const [isEditing, setEditing] = useState(false)
  return (
    <Panel
      title="Disk"
      note="Estimates based on the number of rows"
      actions={
        mayManage &&
        storage.data && (
          <Button onClick={() => setEditing(true)}>
            {storage.data.budgetBytes === null ? 'Set a budget…' : 'Change the budget…'}
          </Button>
        )
      }
    >
      <Async of={storage}>
        {(found) => (
          <div className="grid gap-16">
            <Warnings storage={found} />
            <Total storage={found} />
            <KindBars storage={found} environment={environment} />
            <Others storage={found} environment={environment} />
          </div>
        )}
      </Async>
      {isEditing && storage.data && (
        <BudgetDialog project={project} storage={storage.data} onClose={() => setEditing(false)} />
      )}
    </Panel>
  )
}

function Warnings({ storage: { disk, overBudget, budgetBytes, usedBytes } }: { storage: Storage }) {
  return (
    <>
      {disk?.nearlyFull && (
        <Notice
          tone="warn"
          title={`The disk is nearly full: ${bytesText(disk.freeBytes)} of ${bytesText(disk.totalBytes)} are free`}
          detail="When it is full, events are refused. Reduce retention, set a budget, or add disk space."
        />
      )}
      {overBudget && (
        <Notice
          tone="warn"
          title={`Over budget by ${bytesText(usedBytes - (budgetBytes ?? 0))}`}
          detail="The next nightly cleanup deletes the oldest days of all environments of the project until it fits. Today and kept sessions are not deleted."
        />
      )}
    </>
  )
}

function Total({ storage }: { storage: Storage }) {
  const { usedBytes, budgetBytes, keptBytes, disk } = storage
  const facts = [
    budgetBytes === null ? 'No budget.' : `Budget ${bytesText(budgetBytes)}.`,
    ...(keptBytes > 0 ? [`${bytesText(keptBytes)} of it in kept sessions.`] : []),
    ...(disk ? [`${bytesText(disk.freeBytes)} of ${bytesText(disk.totalBytes)} free on the disk.`] : []),
  ]
  return (
    <div className="grid gap-6">
      <p>
        <strong className="font-strong">{bytesText(usedBytes)}</strong> in this project.{' '}
        <span className="text-text-3">{facts.join(' ')}</span>
      </p>
      {budgetBytes !== null && (
        <Bar
          share={usedBytes / budgetBytes}
          colour={usedBytes > budgetBytes ? 'bg-warn-fill' : 'bg-accent-fill'}
          label={`${bytesText(usedBytes)} of ${bytesText(budgetBytes)}`}
        />
      )}
    </div>
  )
}

function KindBars({ storage, environment }: { storage: Storage; environment: Environment }) {
  const own = storage.environments.find(({ id }) => id === environment.id)
  const largest = Math.max(1, ...(own?.kinds.map(({ bytes }) => bytes) ?? []))
  if (own === undefined || own.kinds.every(({ rows }) => rows === 0)) {
    return <p className="text-text-2">No telemetry in {environment.name} yet.</p>
  }
  return (
    <ul aria-label={`Disk used by ${environment.name}`} className="grid gap-10">
      {own.kinds.map(({ kind, rows, bytes, firstDay }) => (
        <li key={kind} className="grid gap-4">
          <span className="flex flex-wrap justify-between gap-x-12">
            <span>{kindWords[kind].label}</span>
            <span className="text-text-2 tabular-nums">
              {bytesText(bytes)}{' '}
              <span className="text-text-3">
                {countOf(rows, 'row')}
                {firstDay !== null && `, since ${dayText(firstDay)}`}
              </span>
            </span>
          </span>
          <Bar
            share={bytes / largest}
            colour={kindWords[kind].colour}
            label={`${kindWords[kind].label}: ${bytesText(bytes)}`}
          />
        </li>
      ))}
    </ul>
  )
}

function Bar({ share, colour, label }: { share: number; colour: string; label: string }) {
  return (
    <span role="img" aria-label={label} className="block h-8 overflow-hidden rounded-control bg-sunken">
      <span
        className={`block h-full ${colour}`}
        style={{ width: `${Math.min(100, Math.max(share > 0 ? 0.5 : 0, share * 100))}%` }}
      />
    </span>
  )
}

function Others({ storage, environment }: { storage: Storage; environment: Environment }) {
  const others = storage.environments.filter(({ id, bytes }) => id !== environment.id && bytes > 0)
  if (others.length === 0) return null
  return (
    <p className="text-12 text-text-3">
      Other environments: {others.map(({ key, bytes }) => `${key} ${bytesText(bytes)}`).join(', ')}
    </p>
  )
}
