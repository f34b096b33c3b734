import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Alert, type AlertRef, alertsKey, deleteAlert, muteAlert, testAlert } from '../../api/alerts.ts'
import { toProblem } from '../../api/problem.ts'
import { useMay } from '../../shell/account.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem } from '../../ui/overlay/menu.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { useNow } from '../../ui/text/time.tsx'

const hour = 3_600_000
const mutes = [
  { label: 'For 1 hour', span: hour },
  { label: 'For 8 hours', span: 8 * hour },
  { label: 'For 1 day', span: 24 * hour },
  { label: 'For 1 week', span: 7 * 24 * hour },
] as const

type AlertActionsProps = { alert: Alert; place: AlertRef }

/** The actions on an alert, for members who may use them. */
export function AlertActions({ alert, place }: AlertActionsProps) {
  const mayChange = useMay('alerts.change', alert.env)
  const now = useNow()
  const queryClient = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const muting = useMutation({
    mutationFn: muteAlert,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: alertsKey(place.project) }),
    onError: (error) => showToast({ text: toProblem(error).title }),
  })
  const testing = useMutation({
    mutationFn: testAlert,
    onSuccess: ({ channels }) =>
      showToast({
        text: `Test sent to ${channels === 1 ? 'one channel' : `${channels} channels`}. See the channel log for the result.`,
      }),
    onError: (error) => showToast({ text: toProblem(error).detail ?? toProblem(error).title }),
  })
  if (!mayChange) return null
  const isMuted = alert.mutedUntil !== null && Date.parse(alert.mutedUntil) > now
  const mute = (until: string | null) => muting.mutate({ ...place, until })

  return (
    <>
      <Menu align="end" trigger={<Button busy={muting.isPending}>{isMuted ? 'Muted' : 'Mute'}</Button>}>
        {mutes.map(({ label, span }) => (
          <MenuItem key={label} onSelect={() => mute(new Date(Date.now() + span).toISOString())}>
            {label}
          </MenuItem>
        ))}
        {isMuted && <MenuItem onSelect={() => mute(null)}>Unmute</MenuItem>}
      </Menu>
      <Link
        from="/p/$project"
        to="/p/$project/alerts/$alert/edit"
        params={{ alert: alert.id }}
        className={buttonClass()}
      >
        Change
      </Link>
      <Menu align="end" trigger={<Button icon="more" aria-label="More" />}>
        <MenuItem
          disabled={alert.channels.length === 0 || testing.isPending}
          onSelect={() => testing.mutate(place)}
        >
          Send a test
        </MenuItem>
        <MenuItem icon="trash" danger onSelect={() => setDeleting(true)}>
          Delete…
        </MenuItem>
      </Menu>
      {isDeleting && <DeleteAlert alert={alert} place={place} onClose={() => setDeleting(false)} />}
    </>
  )
}

function DeleteAlert({ alert, place, onClose }: AlertActionsProps & { onClose: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const deleting = useMutation({
    mutationFn: deleteAlert,
    onSuccess: async () => {
      await navigate({ to: '/p/$project/alerts', params: { project: place.project } })
      await queryClient.invalidateQueries({ queryKey: alertsKey(place.project) })
    },
  })
  return (
    <ConfirmDialog
      title={`Delete alert ${alert.name}`}
      consequence="Deletes the alert and its incidents. Notifications already sent stay in the channel logs."
      verb="Delete"
      busy={deleting.isPending}
      problem={deleting.error ? toProblem(deleting.error) : null}
      onConfirm={() => deleting.mutate(place)}
      onClose={onClose}
    />
  )
}
