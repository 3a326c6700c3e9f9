//! Reading and writing in memory: the models against the real ones, by scripts of operations on both.

use proptest::prelude::*;

/// A reader that gives what it has in pieces, now and then nothing but an interruption or an error.
macro_rules! scripts {
    ($module:ident $($path:ident)::*) => {
        mod $module {
            #[allow(unused_imports)]
            use $($path)::*::iter::Iterator as _;
            use $($path)::*::io::{self, BufRead as _, Read as _};

            type Step = (u8, u8, u8);

            fn kind(error: io::Error) -> String {
                format!("error {}", error.kind() as u8)
            }

            fn told<T: std::fmt::Debug>(result: io::Result<T>) -> String {
                match result {
                    Ok(value) => format!("{value:?}"),
                    Err(error) => kind(error),
                }
            }

            /// One step of reading from anything.
            fn read(reader: &mut impl io::Read, (op, size, _): Step) -> String {
                let mut bytes = vec![0xee; size as usize % 6];
                match op % 2 {
                    0 => told(reader.read(&mut bytes)) + &format!("{bytes:?}"),
                    // What an error leaves in the buffer is not said.
                    _ => match reader.read_exact(&mut bytes) {
                        Ok(()) => format!("{bytes:?}"),
                        Err(error) => kind(error),
                    },
                }
            }

            fn read_all(reader: &mut impl io::Read, (op, _, _): Step) -> String {
                let mut bytes = vec![1, 2];
                let mut text = String::from("ab");
                match op % 2 {
                    0 => told(reader.read_to_end(&mut bytes)) + &format!("{bytes:?}"),
                    _ => told(reader.read_to_string(&mut text)) + &text,
                }
            }

            fn read_buffered(reader: &mut impl io::BufRead, (op, size, byte): Step) -> String {
                let mut bytes = vec![1, 2];
                let mut text = String::from("ab");
                match op % 5 {
                    0 => match reader.fill_buf() {
                        Ok(ahead) => {
                            let (shown, amount) = (format!("{ahead:?}"), ahead.len().min(size as usize % 4));
                            reader.consume(amount);
                            shown
                        }
                        Err(error) => kind(error),
                    },
                    1 => told(reader.read_until(byte % 4, &mut bytes)) + &format!("{bytes:?}"),
                    2 => told(reader.skip_until(byte % 4)),
                    3 => told(reader.read_line(&mut text)) + &text,
                    _ => read(reader, (size, byte, 0)),
                }
            }

            fn write(writer: &mut impl io::Write, (op, size, byte): Step) -> String {
                let bytes = vec![byte; size as usize % 7];
                match op % 3 {
                    0 => told(writer.write(&bytes)),
                    1 => told(writer.write_all(&bytes)),
                    _ => told(writer.flush()),
                }
            }

            fn seek(seeker: &mut impl io::Seek, (op, size, byte): Step) -> String {
                let offset = byte as i8 as i64 % 9;
                told(match op % 6 {
                    0 => seeker.seek(io::SeekFrom::Start(size as u64 % 12)),
                    1 => seeker.seek(io::SeekFrom::End(offset)),
                    2 => seeker.seek(io::SeekFrom::Current(offset)),
                    3 => seeker.rewind().map(|()| 77),
                    4 => seeker.seek_relative(offset).map(|()| 78),
                    _ => seeker.stream_position(),
                })
            }

            pub fn slices(data: &[u8], steps: &[Step]) -> Vec<String> {
                let mut rest = data;
                let mut log = Vec::new();
                for step in steps {
                    log.push(match step.0 % 3 {
                        0 => read(&mut rest, (step.1, step.2, 0)),
                        1 => read_buffered(&mut rest, (step.1, step.2, step.0)),
                        _ => read_all(&mut rest, (step.1, 0, 0)),
                    });
                    log.push(format!("{rest:?}"));
                }
                log
            }

            pub fn cursors(data: &[u8], steps: &[Step]) -> Vec<String> {
                let mut log = Vec::new();
                let mut shared = io::Cursor::new(data);
                let mut owned = io::Cursor::new(data.to_vec());
                let mut place = [9u8; 5];
                let mut fixed = io::Cursor::new(&mut place[..]);
                for step in steps {
                    let next = (step.1, step.2, step.0 / 8);
                    log.push(match step.0 % 8 {
                        0 => read(&mut shared, next),
                        1 => read_buffered(&mut shared, next),
                        2 => seek(&mut shared, next),
                        3 => read_all(&mut shared, next),
                        4 => write(&mut owned, next),
                        5 => seek(&mut owned, next) + &read(&mut owned, next),
                        6 => write(&mut fixed, next),
                        _ => seek(&mut fixed, next),
                    });
                }
                log.push(format!("{} {} {}", shared.position(), owned.position(), fixed.position()));
                log.push(format!("{:?} {:?}", owned.into_inner(), fixed.into_inner()));
                log
            }

            /// Gives and takes little at a time.
            struct Slow<'a> {
                rest: &'a [u8],
                taken: Vec<u8>,
                steps: &'a [Step],
                at: usize,
            }

            impl<'a> Slow<'a> {
                fn new(rest: &'a [u8], steps: &'a [Step]) -> Slow<'a> {
                    Slow { rest, taken: Vec::new(), steps, at: 0 }
                }
                fn next(&mut self, most: usize) -> io::Result<usize> {
                    let (op, size, _) = self.steps[self.at % self.steps.len()];
                    self.at += 1;
                    match op % 9 {
                        0 if self.at < 60 => Err(io::Error::new(io::ErrorKind::Interrupted, "again")),
                        1 if self.at < 40 => Err(io::Error::new(io::ErrorKind::Other, "tired")),
                        2 => Ok(0),
                        _ => Ok(most.min(size as usize % 3 + 1)),
                    }
                }
            }

            impl io::Read for Slow<'_> {
                fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
                    let amount = self.next(buf.len().min(self.rest.len()))?;
                    buf[..amount].copy_from_slice(&self.rest[..amount]);
                    self.rest = &self.rest[amount..];
                    Ok(amount)
                }
            }

            impl io::Write for Slow<'_> {
                fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
                    let amount = self.next(buf.len())?;
                    self.taken.extend(&buf[..amount]);
                    Ok(amount)
                }
                fn flush(&mut self) -> io::Result<()> {
                    self.next(0).map(drop)
                }
            }

            pub fn slow(data: &[u8], steps: &[Step]) -> Vec<String> {
                let mut log = Vec::new();
                let mut reader = Slow::new(data, steps);
                for step in steps {
                    log.push(read(&mut reader, (step.1, step.2, 0)));
                    log.push(format!("{}", reader.at));
                }
                let mut writer = Slow::new(data, steps);
                for step in steps {
                    log.push(write(&mut writer, *step));
                    log.push(format!("{:?} {}", writer.taken, writer.at));
                }
                let mut bytes = Slow::new(data, steps).bytes();
                for _ in 0..8 {
                    log.push(bytes.next().map_or("end".into(), told));
                }
                log
            }

            pub fn adaptors(data: &[u8], steps: &[Step]) -> Vec<String> {
                let mut log = Vec::new();
                let middle = data.len() / 2;
                let mut chain = data[..middle].chain(&data[middle..]).take(steps.len() as u64);
                for step in steps {
                    log.push(match step.0 % 2 {
                        0 => read(&mut chain, (step.1, step.2, 0)),
                        _ => read_buffered(&mut chain, (step.1, step.2, 0)),
                    });
                    log.push(format!("{}", chain.limit()));
                }
                let (first, second) = chain.into_inner().into_inner();
                log.push(format!("{first:?} {second:?}"));
                let mut lines = data.lines();
                let mut parts = io::BufRead::split(data, 2);
                for _ in 0..5 {
                    log.push(lines.next().map_or("end".into(), told));
                    log.push(parts.next().map_or("end".into(), told));
                }
                log
            }

            pub fn buffers(data: &[u8], steps: &[Step], capacity: usize) -> Vec<String> {
                let mut log = Vec::new();
                let mut reader = io::BufReader::with_capacity(capacity, Slow::new(data, steps));
                for step in steps {
                    log.push(match step.0 % 2 {
                        0 => read(&mut reader, (step.1, step.2, 0)),
                        _ => read_buffered(&mut reader, (step.1, step.2, 0)),
                    });
                    log.push(format!("{:?} {}", reader.buffer(), reader.get_ref().at));
                }
                let mut inner = Slow::new(data, steps);
                {
                    let mut writer = io::BufWriter::with_capacity(capacity, &mut inner);
                    for step in steps {
                        log.push(write(&mut writer, *step));
                        log.push(format!("{:?} {:?}", writer.buffer(), writer.get_ref().taken));
                    }
                }
                log.push(format!("{:?} {}", inner.taken, inner.at));
                log
            }

            pub fn places(steps: &[Step]) -> Vec<String> {
                let mut log = Vec::new();
                let mut place = [9u8; 12];
                let mut rest = &mut place[..];
                let mut grown = Vec::new();
                for step in steps {
                    log.push(write(&mut rest, *step) + &format!("{}", rest.len()));
                    log.push(write(&mut grown, *step));
                    log.push(write(&mut io::sink(), *step));
                    log.push(read(&mut io::empty(), *step));
                    log.push(read(&mut io::repeat(step.2), *step));
                }
                log.push(format!("{place:?} {grown:?}"));
                log
            }
        }
    };
}

scripts!(model std_models);
scripts!(real std);

fn data() -> impl Strategy<Value = Vec<u8>> {
    // Line ends, separators, ASCII and what is no UTF-8.
    prop::collection::vec(prop::sample::select(vec![0, 1, 2, 3, b'\n', b'\r', b'a', b'b', 0xc3, 0xa9]), 0..14)
}

fn steps() -> impl Strategy<Value = Vec<(u8, u8, u8)>> {
    prop::collection::vec(any::<(u8, u8, u8)>(), 1..14)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn slices_and_cursors(data in data(), steps in steps()) {
        prop_assert_eq!(model::slices(&data, &steps), real::slices(&data, &steps));
        prop_assert_eq!(model::cursors(&data, &steps), real::cursors(&data, &steps));
        prop_assert_eq!(model::places(&steps), real::places(&steps));
    }

    #[test]
    fn readers_and_writers_that_do_little_at_a_time(data in data(), steps in steps()) {
        prop_assert_eq!(model::slow(&data, &steps), real::slow(&data, &steps));
        prop_assert_eq!(model::adaptors(&data, &steps), real::adaptors(&data, &steps));
    }

    #[test]
    fn buffers(data in data(), steps in steps(), capacity in 0usize..7) {
        prop_assert_eq!(model::buffers(&data, &steps, capacity), real::buffers(&data, &steps, capacity));
    }
}

/// Text of one placeholder without options.
fn shown(argument: std_models::fmt::rt::Argument<'_>) -> String {
    std_models::fmt::format(std_models::fmt::Arguments::new::<2, 1>(&[0xc0, 0], &[argument]))
}

#[test]
fn errors_are_told_alike() {
    use std_models::fmt::rt::Argument;
    macro_rules! check {
        ($model:expr, $real:expr) => {{
            let (model, real): (std_models::io::Error, std::io::Error) = ($model, $real);
            assert_eq!(shown(Argument::new_display(&model)), real.to_string());
            assert_eq!(shown(Argument::new_debug(&model)), format!("{real:?}"));
            assert_eq!(model.get_ref().is_some(), real.get_ref().is_some());
        }};
    }
    macro_rules! kinds {
        ($($kind:ident)*) => {$(
            let (model, real) = (std_models::io::ErrorKind::$kind, std::io::ErrorKind::$kind);
            assert_eq!(model as u8, real as u8, stringify!($kind));
            assert_eq!(shown(Argument::new_debug(&model)), format!("{real:?}"));
            assert_eq!(shown(Argument::new_display(&model)), real.to_string());
            check!(std_models::convert::From::from(model), real.into());
            check!(std_models::io::Error::new(model, "text"), std::io::Error::new(real, "text"));
        )*};
    }
    kinds! {
        NotFound PermissionDenied ConnectionRefused ConnectionReset HostUnreachable NetworkUnreachable ConnectionAborted
        NotConnected AddrInUse AddrNotAvailable NetworkDown BrokenPipe AlreadyExists WouldBlock NotADirectory IsADirectory
        DirectoryNotEmpty ReadOnlyFilesystem StaleNetworkFileHandle InvalidInput InvalidData TimedOut WriteZero StorageFull
        NotSeekable QuotaExceeded FileTooLarge ResourceBusy ExecutableFileBusy Deadlock CrossesDevices TooManyLinks
        InvalidFilename ArgumentListTooLong Interrupted Unsupported UnexpectedEof OutOfMemory Other
    }
    let mut place = [0u8; 4];
    check!(
        std_models::io::Read::read_exact(&mut &b"ab"[..], &mut place).unwrap_err(),
        std::io::Read::read_exact(&mut &b"ab"[..], &mut place).unwrap_err()
    );
    check!(
        std_models::io::Write::write_all(&mut &mut place[..], b"abcde").unwrap_err(),
        std::io::Write::write_all(&mut &mut place[..], b"abcde").unwrap_err()
    );
    let mut text = String::new();
    check!(
        std_models::io::BufRead::read_line(&mut &b"\xc3"[..], &mut text).unwrap_err(),
        std::io::BufRead::read_line(&mut &b"\xc3"[..], &mut text).unwrap_err()
    );
    check!(
        std_models::io::Seek::seek(
            &mut std_models::io::Cursor::new([0u8; 2]),
            std_models::io::SeekFrom::End(-3)
        )
        .unwrap_err(),
        std::io::Seek::seek(&mut std::io::Cursor::new([0u8; 2]), std::io::SeekFrom::End(-3)).unwrap_err()
    );
    assert_eq!(text, "");
}
