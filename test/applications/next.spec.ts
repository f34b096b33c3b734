import { testApplication } from './run-visits.ts'

testApplication('next')
