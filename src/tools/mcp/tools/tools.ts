import type { Tool } from '../tool.ts'
import { callTool } from './call.ts'
import { caseTool } from './case.ts'
import { disturbTool } from './disturb.ts'
import { examineTool } from './examine.ts'
import { explainTool } from './explain.ts'
import { happenTool } from './happen.ts'
import { journalTool } from './journal.ts'
import { timeTool } from './time.ts'
import { verifyTool } from './verify.ts'
import { worldTool } from './world.ts'

export const tools: readonly Tool[] = [
  worldTool,
  callTool,
  explainTool,
  journalTool,
  verifyTool,
  disturbTool,
  timeTool,
  happenTool,
  caseTool,
  examineTool,
]
