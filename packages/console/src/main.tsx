import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.ts'
import { createConsoleRouter } from './router.ts'
import { takeSetupCode } from './setup-code.ts'
import { noteCaught } from './shell/own/caught-errors.ts'
import './base.css'

const element = document.getElementById('root')
if (!element) throw new Error('index.html has lost its #root')

// Before any other code may read, send or store the URL.
takeSetupCode()
const queryClient = createQueryClient()
const router = createConsoleRouter(queryClient)

createRoot(element, { onCaughtError: noteCaught }).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
