// ---------------------------------------------------------------------------------------------------------------
// Trait objects of traits of std: of each trait they are made of one type

macro_rules! __regress_std_objects {
    ($([$($param:ident)*] [$($object:tt)*] $made_of:ty;)*) => {$(
        impl<$($param: Build + Show + 'static)*> Build for Box<dyn $($object)*> {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                let value: Box<$made_of> = source.build()?;
                let value: Self = value;
                note_object(&*value);
                Ok(value)
            }
            fn shape(shape: &mut Shape) {
                <Box<$made_of>>::shape(shape);
            }
        }

        impl<$($param: Build + Show + 'static)*> Build for &'static mut (dyn $($object)*) {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                let value: Box<dyn $($object)*> = source.build()?;
                Ok(source.lend(value))
            }
            fn shape(shape: &mut Shape) {
                <&'static mut $made_of>::shape(shape);
            }
        }

        impl<$($param: Build + Show + 'static)*> Build for &'static (dyn $($object)*) {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                let value: Box<dyn $($object)*> = source.build()?;
                Ok(source.share_object::<$made_of, _>(value))
            }
            fn shape(shape: &mut Shape) {
                <&'static $made_of>::shape(shape);
            }
        }

        impl<'a $(, $param: Build + Show + 'static)*> Show for dyn $($object)* + 'a {
            fn show(&self, out: &mut String) {
                show_object::<$made_of, Self>(self, out);
            }
        }
    )*};
}

__regress_std_objects! {
    [] [fmt::Write] String;
    [] [fmt::Display] String;
    [] [std::error::Error] std::io::Error;
    [] [std::error::Error + Send] std::io::Error;
    [] [std::error::Error + Send + Sync] std::io::Error;
    [] [std::io::Write] Vec<u8>;
    [] [std::io::Write + Send] Vec<u8>;
    [] [std::io::Read] Cursor<Vec<u8>>;
    [] [std::io::BufRead] Cursor<Vec<u8>>;
    [T] [Iterator<Item = T>] std::vec::IntoIter<T>;
    [T] [DoubleEndedIterator<Item = T>] std::vec::IntoIter<T>;
    [T] [ExactSizeIterator<Item = T>] std::vec::IntoIter<T>;
}
