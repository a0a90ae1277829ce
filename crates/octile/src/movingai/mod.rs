//! The MovingAI benchmark's files.
