import type { ScriptedModel } from '../script/script.ts';
import { cacheMarkFaults } from './cacheMarks.ts';
import { endingFaults } from './endings.ts';
import { errorsInAnswer } from './errorsInAnswer.ts';
import { refusals } from './refusals.ts';
import { streamFormFaults } from './streamForms.ts';
import { toolCallForms } from './toolCallForms.ts';

export const faultModels: readonly ScriptedModel[] = [
  ...streamFormFaults,
  ...endingFaults,
  ...errorsInAnswer,
  ...toolCallForms,
  ...cacheMarkFaults,
  ...refusals,
];
