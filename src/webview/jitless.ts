import * as z from 'zod/mini';

// Imported before any schema: zod otherwise probes `new Function`, which the page's policy reports as a violation.
z.config({ jitless: true });
