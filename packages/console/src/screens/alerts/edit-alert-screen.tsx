import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { alertQuery } from '../../api/alerts.ts'
import { ManagedInCode } from '../../features/managed-in-code.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { Async } from '../../ui/states.tsx'
import { AlertEditor } from './alert-editor.tsx'
import { formOfAlert } from './alert-form.ts'

export function EditAlertScreen() {
  const { project } = useScope()
  const { alert: id } = useParams({ from: '/p/$project/alerts/$alert/edit' })
  const alert = useQuery({ ...alertQuery({ project, alert: id }), refetchInterval: false })
  const navigate = useNavigate()
  return (
    <Screen
      title={alert.data ? `Change ${alert.data.name}` : 'Change alert'}
      scope="none"
      crumbs={
        <Link from="/p/$project" to="/p/$project/alerts" className="hover:text-text">
          Alerts
        </Link>
      }
    >
      <Async of={alert} isEmpty={() => false}>
        {(found) => (
          <>
            <ManagedInCode kind="alerts" entry={found.name} />
            <AlertEditor
              key={found.id}
              alert={found}
              start={formOfAlert(found)}
              env={found.env}
              onSaved={() =>
                void navigate({ to: '/p/$project/alerts/$alert', params: { project, alert: id } })
              }
            />
          </>
        )}
      </Async>
    </Screen>
  )
}
