import { SectionScreen } from '../../shell/section-screen.tsx'
import { DisplayPanel } from './display-panel.tsx'
import { NotificationsPanel } from './notifications-panel.tsx'
import { PasswordPanel } from './password-panel.tsx'
import { ProfilePanel } from './profile-panel.tsx'

export function ProfileScreen() {
  return (
    <SectionScreen of="account" title="Profile">
      <ProfilePanel />
      <PasswordPanel />
      <NotificationsPanel />
      <DisplayPanel />
    </SectionScreen>
  )
}
