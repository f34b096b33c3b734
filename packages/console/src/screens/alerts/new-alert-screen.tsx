import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { AlertEditor } from './alert-editor.tsx'
import { newAlertForm } from './alert-form.ts'

/** A new alert with the initial values from the URL. */
export function NewAlertScreen() {
  const { project, environment } = useScope()
  const search = useSearch({ from: '/p/$project/alerts/new' })
  const navigate = useNavigate()
  return (
    <Screen
      title="New alert"
      crumbs={
        <Link from="/p/$project" to="/p/$project/alerts" className="hover:text-text">
          Alerts
        </Link>
      }
    >
      <AlertEditor
        alert={undefined}
        start={newAlertForm(search)}
        env={environment.key}
        onSaved={({ id }) =>
          void navigate({ to: '/p/$project/alerts/$alert', params: { project, alert: id } })
        }
      />
    </Screen>
  )
}
