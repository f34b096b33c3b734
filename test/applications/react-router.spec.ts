import { testApplication } from './run-visits.ts'

testApplication('react-router')
