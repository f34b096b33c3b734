import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { takeSetupCode } from './screens/setup/setup-code.ts'
import { SetupScreen } from './screens/setup/setup-screen.tsx'
import './base.css'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has lost its #root')

createRoot(root).render(
  <StrictMode>
    <SetupScreen code={takeSetupCode()} />
  </StrictMode>,
)
