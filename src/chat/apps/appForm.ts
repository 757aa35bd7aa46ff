/** A field of the form that an app wants filled in before the first message. */
export interface AppField {
  /** Its name on the platform. */
  variable: string;
  label: string;
  type: 'text' | 'paragraph' | 'number' | 'select' | 'checkbox' | 'json' | 'file' | 'file-list';
  isRequired: boolean;
  /** Of texts, in characters. */
  maxLength?: number;
  /** Of a select. */
  options?: readonly string[];
  /** Of files. */
  files?: {
    /** In words, as far as there are limits. */
    limits: string;
    /** Whether a file of this machine may be given, and whether an address may. */
    takesLocal: boolean;
    takesAddress: boolean;
  };
}

/** A file that is to be sent to an app. */
export interface AppFile {
  name: string;
  bytes: number;
  /** What it is, in base64; else it is read from `realPath` when it is sent. */
  data?: string;
  realPath?: string;
}

/** A file in a form: one to be uploaded, or one the platform fetches itself. */
export type ChosenFile =
  | { method: 'local_file'; name: string; size: number; realPath?: string }
  | { method: 'remote_url'; url: string };

/** Text as typed, also for numbers and JSON; files for file fields. */
export type FormAnswer = string | number | boolean | readonly ChosenFile[];

/** By variable; what is absent was not answered. */
export type FormAnswers = Readonly<Record<string, FormAnswer | undefined>>;

export interface FieldProblem {
  variable: string;
  /** For the user, about this field. */
  problem: string;
}

/** What a form was filled in with, to be sent with the first message. */
export interface GivenInputs {
  answers: FormAnswers;
  /** For the user to read later. */
  shown: readonly { label: string; value: string }[];
}
